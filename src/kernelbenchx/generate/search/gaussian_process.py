"""A cost model learned from a search's own measurements: a Gaussian process over log speed.

Its uncertainty is what makes exploring principled: a setting is tried for what it is likely to
gain, and a region without trials counts as unknown, not as bad.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SCALES = (0.7, 1.5, 3.0, 8.0, 30.0)
"""Distances, in doublings, over which speed may change; the last says that it hardly does."""
SPREADS = (0.05, 0.15, 0.4, 1.0)
"""Of log speed between settings far apart."""
ROUGHS = (0.002, 0.01, 0.04, 0.1)
"""What belongs to a setting alone, as whole waves of programs do: nothing near it tells."""
SHARED = 0.5
"""How much of what was learned from one source holds for another with the same choices."""
OFFSET = 1.0
"""Spread of sources as a whole: nothing is known before one of their settings was measured."""
_PASSES = 2


@dataclass(frozen=True)
class Rows:
    """Settings as numbers: features by column, and the source that each belongs to."""

    features: Floats
    source: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.source)


@dataclass(frozen=True)
class Shape:
    """What the process assumes: chosen by how likely it makes the measurements."""

    scales: tuple[float, ...]
    spread: float = 0.15
    rough: float = 0.01

    def covariance(self, one: Rows, other: Rows) -> Floats:
        """Matérn with 5/2, a length for every feature; an offset for every source."""
        lengths = np.asarray(self.scales)
        left, right = one.features / lengths, other.features / lengths
        square = np.sum(left**2, 1)[:, None] + np.sum(right**2, 1) - 2.0 * left @ right.T
        far = np.sqrt(5.0 * np.maximum(square, 0.0))
        smooth = (1.0 + far + far**2 / 3.0) * np.exp(-far)
        same = one.source[:, None] == other.source[None, :]
        mixed = np.where(same, 1.0, SHARED) * smooth * self.spread**2
        return np.asarray(mixed + OFFSET**2 * same)


@dataclass(frozen=True)
class Forecast:
    """A fitted process."""

    shape: Shape
    rows: Rows
    noise: Floats
    root: Floats
    inverse: Floats
    """Of the root."""
    weights: Floats

    def at(self, rows: Rows) -> tuple[Floats, Floats]:
        """Mean and standard deviation of log speed at untried settings, clock noise left out."""
        across = self.shape.covariance(rows, self.rows)
        mean = across @ self.weights
        solved = self.inverse @ across.T
        own = self.shape.spread**2 + OFFSET**2
        smooth = np.maximum(own - np.sum(solved**2, axis=0), 0.0)
        return mean, np.sqrt(smooth + self.shape.rough**2)

    def smooth_measurements(self) -> Floats:
        """Means of what was measured: drawn towards the rest as far as the clock was noisy."""
        smooth = self.shape.covariance(self.rows, self.rows) @ self.weights
        rough = self.shape.rough**2
        return np.asarray(smooth + rough * self.weights)

    def believing(self, row: Rows) -> "Forecast":
        """As if its own mean had been measured there: what a batch needs to spread out."""
        mean, _ = self.at(row)
        values = np.append(self.root @ (self.root.T @ self.weights), mean)
        rows = Rows(
            np.vstack([self.rows.features, row.features]),
            np.concatenate([self.rows.source, row.source]),
        )
        return _fit_shape(self.shape, rows, values, np.append(self.noise, 0.0))


def fit_forecast(rows: Rows, values: Floats, noise: Floats) -> Forecast:
    """The process of the shape that explains the measurements best; few leave it as it is.

    `noise` is the standard deviation of each measurement.
    """
    best = Shape((3.0,) * rows.features.shape[1])
    score = _evidence(best, rows, values, noise)
    for _ in range(_PASSES if len(rows) > 2 else 0):
        before = best
        # One property at a time, each given the best of the others so far.
        for properties in range(1 + len(best.scales)):
            for candidate in _around(best, properties - 1):
                found = _evidence(candidate, rows, values, noise)
                if found > score + 1e-9:
                    best, score = candidate, found
        if best == before:
            break
    return _fit_shape(best, rows, values, noise)


def _around(shape: Shape, number: int) -> list[Shape]:
    """Others with another scale of one feature; with other spreads where the number is -1."""
    if number < 0:
        found = [
            replace(shape, spread=spread, rough=rough) for spread in SPREADS for rough in ROUGHS
        ]
    else:
        before, after = shape.scales[:number], shape.scales[number + 1 :]
        found = [replace(shape, scales=(*before, scale, *after)) for scale in SCALES]
    return [one for one in found if one != shape]


def _fit_shape(shape: Shape, rows: Rows, values: Floats, noise: Floats) -> Forecast:
    root = _root(shape, rows, noise)
    inverse = np.asarray(np.linalg.inv(root))
    return Forecast(shape, rows, noise, root, inverse, inverse.T @ (inverse @ values))


def _root(shape: Shape, rows: Rows, noise: Floats) -> Floats:
    covariance = shape.covariance(rows, rows)
    covariance[np.diag_indices(len(rows))] += noise**2 + shape.rough**2
    return np.asarray(np.linalg.cholesky(covariance))


def _evidence(shape: Shape, rows: Rows, values: Floats, noise: Floats) -> float:
    """Log likelihood, with a mild belief that lengths are a few doublings and spreads modest."""
    root = _root(shape, rows, noise)
    solved = np.linalg.solve(root, values)
    fit = -0.5 * float(solved @ solved) - float(np.sum(np.log(np.diag(root))))
    lengths = np.log(np.asarray(shape.scales) / 3.0) / 1.5
    belief = -0.5 * float(lengths @ lengths) - 0.5 * (np.log(shape.spread / 0.2) / 1.0) ** 2
    return fit + float(belief)


def columns_of(features: Sequence[dict[str, float]]) -> list[str]:
    """Every name that occurs, sorted."""
    return sorted({name for one in features for name in one})


def align_columns(
    features: Sequence[dict[str, float]], source: Sequence[int], columns: Sequence[str]
) -> Rows:
    """Only these columns, in this order."""
    table = [[one.get(name, 0.0) for name in columns] for one in features]
    numbers = np.asarray(table, dtype=np.float64).reshape(len(features), len(columns))
    return Rows(numbers, np.asarray(source, dtype=np.int64))
