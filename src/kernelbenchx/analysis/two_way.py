"""The additive model of two factors, logit(rate) = row + column, on thousands of tables at once.

The same optimum as `glm.fit` with two blocks of dummies. Rows are eliminated from each Newton step,
so a step costs as much as looking at the table, and resampling takes no time worth waiting for.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from kernelbenchx.analysis.glm import SPECK

Numbers = NDArray[np.float64]

MOST_STEPS = 60
ENOUGH = 1e-9
ROUNDING = 1e-9
"""Weighted counts that should be nothing are at most this."""


def additive_likelihood(successes: Numbers, trials: Numbers) -> Numbers:
    """The best log likelihood of each table; the last two axes are rows and columns."""
    hits, tries = np.broadcast_arrays(
        np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    )
    before = hits.shape[:-2]
    hits, tries = hits.reshape(-1, *hits.shape[-2:]), tries.reshape(-1, *tries.shape[-2:])
    if hits.shape[1] < hits.shape[2]:  # what is eliminated should be the larger factor
        hits, tries = hits.swapaxes(1, 2), tries.swapaxes(1, 2)
    return _climb(*_drop_separated(hits, tries)).reshape(before)


def _drop_separated(hits: Numbers, tries: Numbers) -> tuple[Numbers, Numbers]:
    """Rows and columns in which all or none succeed are fitted without error, at plus or minus
    infinity, whatever the others are: the fit leaves them out."""
    for axis in (2, 1, 2, 1):  # leaving some out may make others sure
        good = hits.sum(axis=axis, keepdims=True) > ROUNDING
        bad = (tries - hits).sum(axis=axis, keepdims=True) > ROUNDING
        hits, tries = np.where(good & bad, hits, 0.0), np.where(good & bad, tries, 0.0)
    return hits, tries


@dataclass(frozen=True)
class _Effects:
    rows: Numbers
    columns: Numbers

    @property
    def predictor(self) -> Numbers:
        return np.asarray(self.rows[:, :, None] + self.columns[:, None, :])

    def add(self, by: "_Effects") -> "_Effects":
        return _Effects(self.rows + by.rows, self.columns + by.columns)

    def halve(self, where: NDArray[np.bool_]) -> "_Effects":
        scale = np.where(where, 0.5, 1.0)[:, None]
        return _Effects(self.rows * scale, self.columns * scale)


def _climb(hits: Numbers, tries: Numbers) -> Numbers:
    place = _start(hits, tries)
    height = _likelihood(place, hits, tries)
    for _ in range(MOST_STEPS):
        step = _step(place, hits, tries)
        reached = _likelihood(place.add(step), hits, tries)
        for _ in range(20):
            worse = reached < height - ENOUGH * (1.0 + np.abs(height))
            if not worse.any():
                break
            step = step.halve(worse)
            reached = _likelihood(place.add(step), hits, tries)
        place = place.add(step)
        done = bool(np.all(np.abs(reached - height) <= ENOUGH * (1.0 + np.abs(height))))
        height = reached
        if done:
            break
    return height


def _start(hits: Numbers, tries: Numbers) -> _Effects:
    """Every row at its own rate, kept off 0 and 1."""
    rates = (hits.sum(axis=2) + 0.5) / (tries.sum(axis=2) + 1.0)
    return _Effects(np.log(rates / (1.0 - rates)), np.zeros((len(hits), hits.shape[2])))


def _likelihood(place: _Effects, hits: Numbers, tries: Numbers) -> Numbers:
    predictor = place.predictor
    return np.asarray((hits * predictor - tries * np.logaddexp(0.0, predictor)).sum(axis=(1, 2)))


def _step(place: _Effects, hits: Numbers, tries: Numbers) -> _Effects:
    """Newton's step; the first column is the reference and stays at 0."""
    rates = expit(place.predictor)
    weights = tries * rates * (1.0 - rates)
    slopes = hits - tries * rates
    by_row = weights.sum(axis=2) + SPECK
    row_slope = slopes.sum(axis=2) - SPECK * place.rows
    shared = weights[:, :, 1:] / by_row[:, :, None]
    size = shared.shape[2]
    left = -np.einsum("brc,brd->bcd", shared, weights[:, :, 1:])
    left[:, np.arange(size), np.arange(size)] += weights[:, :, 1:].sum(axis=1) + SPECK
    right = slopes[:, :, 1:].sum(axis=1) - SPECK * place.columns[:, 1:]
    right = right - np.einsum("brc,br->bc", shared, row_slope)
    columns = np.zeros_like(place.columns)
    if size:
        columns[:, 1:] = np.linalg.solve(left, right[:, :, None])[:, :, 0]
    rows = (row_slope - np.einsum("brc,bc->br", weights, columns)) / by_row
    return _Effects(rows, columns)
