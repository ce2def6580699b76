"""Task bootstrap: intervals of a median, a mean or a correlation.

Tasks are drawn with replacement and each comes with all of its values, since values of one task
are not independent of each other.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelbenchx.analysis.intervals import LEVEL, Codes, Floats, task_weights

DRAWS = 1000
_AT_ONCE = 50
_FEWEST = 2
"""One task drawn again and again says nothing of others."""
_NO_SPREAD = 1e-10


def ends(draws: Floats) -> tuple[float, float]:
    """Between them lie 95 of 100 draws; NaN where there was nothing to draw from."""
    known = draws[np.isfinite(draws)]
    if known.size < draws.size / 2 or not known.size:
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def means_of_draws(values: Floats, tasks: Codes, draws: int = DRAWS) -> Floats:
    """The mean of all values in each draw of tasks."""
    there, at = np.unique(tasks, return_inverse=True)
    if there.size < _FEWEST:
        return np.full(draws, np.nan)
    weights = task_weights(there.size, draws)
    sums = np.bincount(at, weights=values)
    return np.asarray((weights @ sums) / (weights @ np.bincount(at)), float)


def medians_of_draws(values: Floats, tasks: Codes, draws: int = DRAWS) -> Floats:
    """The median of all values in each draw of tasks."""
    there, at = np.unique(tasks, return_inverse=True)
    if there.size < _FEWEST:
        return np.full(draws, np.nan)
    order = np.argsort(values, kind="stable")
    weights = task_weights(there.size, draws)
    found = []
    for start in range(0, draws, _AT_ONCE):
        heaped = np.cumsum(weights[start : start + _AT_ONCE][:, at[order]], axis=1)
        half = heaped[:, -1:] / 2
        lower = values[order][(heaped >= half).argmax(axis=1)]
        upper = values[order][(heaped > half).argmax(axis=1)]
        found.append((lower + upper) / 2)
    return np.concatenate(found)


def correlation(
    first: Floats, second: Floats, tasks: Codes, draws: int = DRAWS
) -> tuple[float, Floats]:
    """Pearson's correlation of all values, and of each draw of tasks."""
    there, at = np.unique(tasks, return_inverse=True)
    one, two = first - first.mean(), second - second.mean()
    parts = [
        np.bincount(at, weights=part, minlength=there.size)
        for part in (np.ones(one.size), one, two, one * one, two * two, one * two)
    ]
    value = _pearson(np.array([part.sum() for part in parts]))
    if there.size < _FEWEST:
        return float(value), np.full(draws, np.nan)
    weights = task_weights(there.size, draws)
    return float(value), np.asarray(_pearson(np.stack([weights @ part for part in parts])), float)


def _pearson(sums: NDArray[np.float64]) -> Any:
    """NaN where either side does not vary: what rounding leaves of its spread is no spread."""
    n, one, two, one_one, two_two, one_two = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = one_one - one * one / n, two_two - two * two / n
        varies = (first > _NO_SPREAD * one_one) & (second > _NO_SPREAD * two_two)
        return np.where(varies, (one_two - one * two / n) / np.sqrt(first * second), np.nan)
