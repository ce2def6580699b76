"""Bootstrap, jackknife and permutation of tasks for shares of explained deviance.

Attempts at one task are not independent: a hard task fails every method. So whole tasks are drawn,
left out and permuted, never single attempts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from kernelbenchx.analysis.explained_deviance import TERMS, deviances, deviances_of, shares
from kernelbenchx.analysis.intervals import LEVEL, Z
from kernelbenchx.analysis.success_counts import Counts

Numbers = NDArray[np.float64]

Sharing = Callable[[Numbers, Numbers], Numbers]
"""Successes and trials by category and method, of many data sets: shares of their deviance."""

REPLICATES = 1000
AT_ONCE = 500
"""Replicates that are held in memory together."""


FEWEST = 10
"""Tasks beyond one for each category, below which draws of them say nothing."""
KNOWN = 0.95
"""The share of draws that must have a share for the others to be left out."""


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Shares of explained deviance, one for each term, and how sure they are."""

    raw: Numbers
    raw_low: Numbers
    raw_high: Numbers
    """Percentiles of the task bootstrap: they are too high by more than the raw share is."""
    corrected: Numbers
    """Raw minus the jackknife's estimate of its bias; below 0 it says that nothing was found."""
    low: Numbers
    high: Numbers


def spread(
    counts: Counts, *, rng: Generator, replicates: int = REPLICATES, sharing: Sharing = shares
) -> Spread:
    """Raw and bias-corrected shares with intervals; of every term, or of those that are asked for.

    The corrected interval is the wider, at each end, of the bootstrap's percentiles moved down by
    twice the bias (once for the estimate's, once for that of the replicates, whose truth is the
    estimate) and of the normal interval around the corrected share. No end is below 0.
    """
    raw = sharing(*counts.cells())
    bias = jackknife_bias(counts, sharing)
    drawn = bootstrap(counts, rng=rng, replicates=replicates, sharing=sharing)
    tails = ((1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0)
    drawn = drawn[np.isfinite(drawn).all(axis=1)]  # where all or none succeed, there is no share
    if len(drawn) < KNOWN * replicates or len(counts.tasks) - len(counts.categories) < FEWEST:
        drawn = np.full((2, raw.size), np.nan)
    below, above = np.quantile(drawn, tails, axis=0)
    reach = Z * drawn.std(axis=0, ddof=1)
    corrected = raw - bias
    return Spread(
        raw=raw,
        raw_low=below,
        raw_high=above,
        corrected=corrected,
        low=np.maximum(np.minimum(below - 2.0 * bias, corrected - reach), 0.0),
        high=np.maximum(np.maximum(above - 2.0 * bias, corrected + reach), 0.0),
    )


def jackknife_bias(counts: Counts, sharing: Sharing = shares) -> Numbers:
    """How far raw shares lie too high: each task in turn is left out of its category, whose weight
    among the categories stays. A category of one task has no spread to tell, and adds nothing."""
    successes, trials = counts.cells()
    raw = sharing(successes, trials)
    tasks, alike = _different_tasks(counts)
    bias = np.zeros(raw.size)
    for start in range(0, len(tasks), AT_ONCE):
        some, many = tasks[start : start + AT_ONCE], alike[start : start + AT_ONCE]
        home = counts.category_of[some]
        grown = counts.sizes[home][:, None] / (counts.sizes[home][:, None] - 1.0)
        hits = np.repeat(successes[None], len(some), axis=0)
        tries = np.repeat(trials[None], len(some), axis=0)
        each = np.arange(len(some))
        hits[each, home] = (hits[each, home] - counts.successes[some]) * grown
        tries[each, home] = (tries[each, home] - counts.trials[some]) * grown
        moved = (sharing(hits, tries) - raw) / grown
        bias += (moved * many[:, None]).sum(axis=0)
    return bias


def _different_tasks(counts: Counts) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """One of each kind of task and how many are of its kind: leaving out any is the same."""
    several = np.flatnonzero(counts.sizes[counts.category_of] > 1)
    looks = np.column_stack((counts.category_of, counts.successes, counts.trials))[several]
    _, first, alike = np.unique(looks, axis=0, return_index=True, return_counts=True)
    return several[first], alike


def bootstrap(
    counts: Counts, *, rng: Generator, replicates: int = REPLICATES, sharing: Sharing = shares
) -> Numbers:
    """Shares of replicates. Within each category one task fewer than there are is drawn, with
    replacement, and weighted up: so the spread of small categories is not understated."""
    successes, trials = counts.cells()
    found = []
    for many in _portions(replicates):
        hits = np.repeat(successes[None], many, axis=0)
        tries = np.repeat(trials[None], many, axis=0)
        for category, size in enumerate(counts.sizes):
            if size > 1:
                own = counts.category_of == category
                times = rng.multinomial(size - 1, np.full(size, 1.0 / size), size=many)
                weights = times * (size / (size - 1))
                hits[:, category] = weights @ counts.successes[own]
                tries[:, category] = weights @ counts.trials[own]
        found.append(sharing(hits, tries))
    return np.concatenate(found)


def permutation_p(counts: Counts, *, rng: Generator, replicates: int = REPLICATES) -> Numbers:
    """p values for `TERMS`: how often permuted labels explain as much; NaN for a term without such
    a test. Categories are permuted among whole tasks, methods within each task."""
    found = deviances_of(counts).drops
    by_category = _as_large(found, _dealt_categories(counts, rng), replicates)
    by_method = _as_large(found, _dealt_methods(counts, rng), replicates)
    answer = np.full(len(TERMS), np.nan)
    if len(counts.categories) > 1:
        answer[[0, 3]] = by_category[[0, 3]]
    if len(counts.methods) > 1:
        answer[[1, 4]] = by_method[[1, 4]]
    return answer


Dealer = Callable[[int], tuple[Numbers, Numbers]]
"""Makes that many tables of successes and trials with permuted labels."""


def _as_large(found: Numbers, deal: Dealer, replicates: int) -> Numbers:
    hits = np.zeros(len(TERMS))
    for many in _portions(replicates):
        # Equal tables differ by rounding, and are equal.
        hits += (deviances(*deal(many)).drops >= found - 1e-6).sum(axis=0)
    return np.asarray((hits + 1.0) / (replicates + 1.0))


def _dealt_categories(counts: Counts, rng: Generator) -> Dealer:
    member = counts.membership()

    def deal(many: int) -> tuple[Numbers, Numbers]:
        order = rng.permuted(np.tile(np.arange(len(member)), (many, 1)), axis=1)
        dealt = member[order].swapaxes(1, 2)
        return dealt @ counts.successes, dealt @ counts.trials

    return deal


def _dealt_methods(counts: Counts, rng: Generator) -> Dealer:
    member = counts.membership().T

    def deal(many: int) -> tuple[Numbers, Numbers]:
        order = rng.random((many, *counts.successes.shape)).argsort(axis=-1)
        hits = np.take_along_axis(counts.successes[None], order, axis=-1)
        tries = np.take_along_axis(counts.trials[None], order, axis=-1)
        return member @ hits, member @ tries

    return deal


def _portions(replicates: int) -> Iterator[int]:
    for start in range(0, replicates, AT_ONCE):
        yield min(AT_ONCE, replicates - start)
