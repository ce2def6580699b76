"""Counts with known rates, for tests of models and of resampling."""

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import expit

from kernelbenchx.analysis.success_counts import Counts


def crossed(successes: NDArray[Any], sizes: tuple[int, ...]) -> Counts:
    """One attempt of every method at every task; `sizes` are tasks by category."""
    home = np.repeat(np.arange(len(sizes)), sizes)
    return Counts(
        tasks=tuple(f"task{at}" for at in range(len(home))),
        categories=tuple(f"category{at}" for at in range(len(sizes))),
        methods=tuple(f"method{at}" for at in range(successes.shape[1])),
        category_of=home,
        successes=successes.astype(np.float64),
        trials=np.ones(successes.shape),
    )


def drawn(
    rng: Generator, sizes: tuple[int, ...], *, by_category: float, by_method: float, by_task: float
) -> Counts:
    """Four methods; logits of the rates spread that far between categories, methods and tasks."""
    home = np.repeat(np.arange(len(sizes)), sizes)
    category = by_category * np.linspace(-1.0, 1.0, len(sizes))[home][:, None]
    method = by_method * np.linspace(-1.0, 1.0, 4)[None, :]
    task = by_task * rng.normal(size=(len(home), 1))
    return crossed((rng.random((len(home), 4)) < expit(category + method + task)) * 1.0, sizes)
