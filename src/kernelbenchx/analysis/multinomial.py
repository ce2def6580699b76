"""Multinomial models of a kind by two factors: log odds of each kind = row + column.

The fit is that of the log-linear model with all pairs and without the three-way interaction, found
by iterative proportional fitting: it needs no step size, and kinds that a row never has are fitted
as such, where coefficients would run off to infinity. Leading axes are tables of their own.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

Numbers = NDArray[np.float64]

MOST_STEPS = 3000
ENOUGH = 1e-8
"""A step that raises no log likelihood by more, as a share of it, is the last."""


def kinds_likelihood(counts: Numbers) -> Numbers:
    """The best log likelihood where each row has its own shares; the last axis is the kind."""
    total = counts.sum(axis=-1)
    return np.asarray(xlogy(counts, counts).sum(axis=(-2, -1)) - xlogy(total, total).sum(axis=-1))


def additive_kinds_likelihood(counts: Numbers) -> Numbers:
    """The same of row and column together; the last axes are row, column and kind."""
    fitted, total = np.ones_like(counts), counts.sum(axis=-1, keepdims=True)
    last = np.full(counts.shape[:-3], -np.inf)
    for _ in range(MOST_STEPS):
        for axis in (-2, -3, -1):
            fitted = fitted * _ratio(
                counts.sum(axis, keepdims=True), fitted.sum(axis, keepdims=True)
            )
        found = (xlogy(counts, _ratio(fitted, total))).sum(axis=(-3, -2, -1))
        if (np.abs(found - last) <= ENOUGH * np.maximum(1.0, np.abs(found))).all():
            break
        last = found
    return np.asarray(found)


def _ratio(wanted: Numbers, had: Numbers) -> Numbers:
    """Nothing over nothing is nothing."""
    return np.divide(wanted, had, out=np.zeros(np.broadcast(wanted, had).shape), where=had > 0)
