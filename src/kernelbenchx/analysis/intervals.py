"""Intervals in which tasks are the draws: attempts at one task are not independent of each other.

Everything works on arrays, for all rows of a table at once. Every interval is meant to hold the
truth in 95 of 100 cases, the truth being about tasks like those that were drawn.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, gammaln, ndtri, stdtrit

from kernelbenchx.analysis.table import Interval

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

LEVEL = 0.95
Z = float(ndtri(0.5 + LEVEL / 2))
SPREAD_TASKS = 2.0
"""As many tasks, always right or always wrong, are added to the spread between tasks: few tasks
that happen to agree do not show that all do."""


FEWEST = 3
"""Tasks for the interval of a mean: two that differ a little leave everything possible."""


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """One interval per group; NaN where a group holds nothing, or too little for ends."""

    value: Floats
    low: Floats
    high: Floats
    n: Codes
    """Attempts."""
    tasks: Codes

    def at(self, group: int) -> Interval:
        """The interval of one group."""
        return Interval(
            value=float(self.value[group]),
            low=float(self.low[group]),
            high=float(self.high[group]),
            n=int(self.n[group]),
        )


class Clusters:
    """Attempts of tasks within groups: what many intervals over the same rows have in common."""

    def __init__(self, tasks: ArrayLike, groups: ArrayLike | None = None, count: int = 1) -> None:
        codes = np.asarray(tasks, np.int64)
        many = int(codes.max()) + 1 if codes.size else 1
        own = 0 if groups is None else np.asarray(groups, np.int64)
        there, self._cell = np.unique(own * many + codes, return_inverse=True)
        self.count = count
        self._group: Codes = there // many
        self._tries: Codes = np.bincount(self._cell, minlength=there.size)

    @cached_property
    def tasks(self) -> Codes:
        """How many tasks each group has."""
        return np.bincount(self._group, minlength=self.count)

    @cached_property
    def attempts(self) -> Codes:
        """How many attempts each group has."""
        found = np.bincount(self._group, weights=self._tries, minlength=self.count)
        return found.astype(np.int64)

    def totals(self, values: ArrayLike) -> Floats:
        """The plain sum of each group."""
        return self._sum_groups(self._cell_sums(values))

    def shares(self, hits: ArrayLike) -> Intervals:
        """The mean over tasks of each task's share of hits; every task has the same weight.

        The ends are Wilson's for as many independent draws as tell as much as these: the tasks,
        where each was tried once; more where several attempts make each task's share more certain,
        as the spread between tasks says. The spread is itself estimated, so Student's quantile
        shrinks the number. It is never below that of tasks or above that of attempts.
        """
        means = self._task_means(hits)
        tasks = self.tasks.astype(float)
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = self._sum_groups(means) / tasks
            single = rate * (1 - rate)
            spread = self._sum_groups((means - rate[self._group]) ** 2)
            wide = single * (tasks + SPREAD_TASKS) / (spread + SPREAD_TASKS * single)
            worth = tasks * wide * (Z / student(tasks - 1)) ** 2
        worth = np.clip(np.where(single > 0, worth, tasks), tasks, self.attempts)
        low, high = wilson_ends(rate, worth)
        return Intervals(value=rate, low=low, high=high, n=self.attempts, tasks=self.tasks)

    def means(self, values: ArrayLike) -> Intervals:
        """The mean over tasks of each task's mean, with Student's interval over tasks.

        With one task or two there is a mean and no interval: they say nothing of others.
        """
        each = self._task_means(values)
        tasks = self.tasks.astype(float)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self._sum_groups(each) / tasks
            spread = self._sum_groups((each - mean[self._group]) ** 2)
            width = student(tasks - 1) * np.sqrt(spread / (tasks - 1) / tasks)
        width = np.where(tasks >= FEWEST, width, np.nan)
        return Intervals(
            value=mean, low=mean - width, high=mean + width, n=self.attempts, tasks=self.tasks
        )

    def geometric_means(self, ratios: ArrayLike) -> Intervals:
        """The same of factors: twice as fast and half as fast are 1 together."""
        logs = self.means(np.log(np.asarray(ratios, float)))
        ends = (np.exp(one) for one in (logs.value, logs.low, logs.high))
        value, low, high = ends
        return Intervals(value=value, low=low, high=high, n=logs.n, tasks=logs.tasks)

    def _task_means(self, values: ArrayLike) -> Floats:
        return self._cell_sums(values) / np.maximum(self._tries, 1)

    def _cell_sums(self, values: ArrayLike) -> Floats:
        each = np.asarray(values, float)
        return np.bincount(self._cell, each, self._tries.size).astype(float)

    def _sum_groups(self, each: Floats) -> Floats:
        return np.bincount(self._group, each, self.count).astype(float)


def shares(
    hits: ArrayLike, tasks: ArrayLike, groups: ArrayLike | None = None, count: int = 1
) -> Intervals:
    """`Clusters.shares` where rows are used once."""
    return Clusters(tasks, groups, count).shares(hits)


def means(
    values: ArrayLike, tasks: ArrayLike, groups: ArrayLike | None = None, count: int = 1
) -> Intervals:
    """`Clusters.means` where rows are used once."""
    return Clusters(tasks, groups, count).means(values)


def geometric_means(
    ratios: ArrayLike, tasks: ArrayLike, groups: ArrayLike | None = None, count: int = 1
) -> Intervals:
    """`Clusters.geometric_means` where rows are used once."""
    return Clusters(tasks, groups, count).geometric_means(ratios)


def cut(found: Intervals, most: float = 1.0, least: float = 0.0) -> Intervals:
    """The same where only `least` to `most` is possible: ends beyond are cut, unless the value is
    too."""
    low = np.where(found.value >= least, np.maximum(found.low, least), found.low)
    high = np.where(found.value <= most, np.minimum(found.high, most), found.high)
    return replace(found, low=low, high=high)


def student(freedom: ArrayLike) -> Floats:
    """Student's two-sided quantile; at least one degree of freedom is taken for granted."""
    return np.asarray(stdtrit(np.maximum(np.asarray(freedom, float), 1.0), 0.5 + LEVEL / 2))


def wilson(successes: float, n: float) -> Interval:
    """A share of independent draws, by Wilson's score; without draws everything is possible."""
    share = successes / n if n else float("nan")
    low, high = wilson_ends(share, n)
    return Interval(value=share, low=float(low), high=float(high), n=round(n))


def wilson_ends(share: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats]:
    """Both ends for shares of so many draws, which need not be a whole number."""
    rate, draws = np.asarray(share, float), np.asarray(n, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = Z * Z / draws
        centre = (rate + weight / 2) / (1 + weight)
        width = Z / (1 + weight) * np.sqrt(rate * (1 - rate) / draws + weight / (4 * draws))
    low = np.where((draws > 0) & (rate > 0), centre - width, 0.0)
    high = np.where((draws > 0) & (rate < 1), centre + width, 1.0)
    return low, high


def paired_ends(
    total: ArrayLike, squares: ArrayLike, n: ArrayLike, resolution: ArrayLike = 1.0
) -> tuple[Floats, Floats]:
    """Ends for a mean difference of shares, from sums of differences by task and of their squares.

    With one attempt each this is Agresti and Min's interval: half a task is added to each of the
    four cells, both right, both wrong and either of them, so that few discordant tasks or none do
    not make it narrow. With more attempts, smaller differences can be seen, down to `resolution`:
    its square is the share that is added, and the quantile is Student's.
    """
    tasks, added = np.asarray(n, float), np.asarray(resolution, float) ** 2
    more = tasks + 2.0 * added
    centre = np.asarray(total, float) / more
    variance = np.maximum((np.asarray(squares, float) + added) / more - centre**2, 0.0)
    width = np.where(added < 1, student(tasks - 1), Z) * np.sqrt(variance / more)
    return np.maximum(centre - width, -1.0), np.minimum(centre + width, 1.0)


def paired_difference(differences: ArrayLike, resolution: float = 1.0) -> Interval:
    """The mean of differences of shares, one for each task that both sides tried."""
    each = np.asarray(differences, float)
    low, high = paired_ends(each.sum(), (each**2).sum(), each.size, resolution)
    value = float(each.mean()) if each.size else float("nan")
    return Interval(value=value, low=float(low), high=float(high), n=each.size)


def newcombe(before: float, after: float, n: float) -> Interval:
    """How far a share of independent draws rose, both of n, by Newcombe's hybrid score."""
    first, second = wilson(before, n), wilson(after, n)
    rise = second.value - first.value
    down = np.hypot(second.value - second.low, first.high - first.value)
    up = np.hypot(second.high - second.value, first.value - first.low)
    return Interval(value=rise, low=float(rise - down), high=float(rise + up), n=round(n))


def sign_test(better: ArrayLike, worse: ArrayLike) -> Floats:
    """How likely so uneven a split is by chance, exact and two-sided.

    For one attempt per task on either side this is McNemar's exact test.
    """
    first, second = np.asarray(better, float), np.asarray(worse, float)
    fewer, both = np.minimum(first, second), np.maximum(first + second, 1)
    return np.asarray(np.minimum(1.0, 2.0 * bdtr(fewer, both.astype(np.int64), 0.5)))


def holm(chances: ArrayLike) -> Floats:
    """The same p-values, corrected for how many there are."""
    each = np.asarray(chances, float)
    order = np.argsort(each)
    steps = np.maximum.accumulate(each[order] * np.arange(each.size, 0, -1))
    corrected = np.empty_like(each)
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def pass_at_k(n: ArrayLike, correct: ArrayLike, k: int) -> Floats:
    """The chance that one of k attempts is right, from n of which some are; unbiased.

    One minus the share of all choices of k among the n that hold no right one; NaN where fewer
    than k attempts were made.
    """
    tried, right = np.asarray(n, float), np.asarray(correct, float)
    wrong, known = tried - right, tried >= k
    safe = np.where(wrong >= k, wrong, k)
    missed = np.exp(
        gammaln(safe + 1.0)
        - gammaln(safe - k + 1.0)
        - gammaln(np.where(known, tried, k) + 1.0)
        + gammaln(np.where(known, tried, k) - k + 1.0)
    )
    return np.where(known, np.where(wrong < k, 1.0, 1.0 - missed), np.nan)


def task_weights(tasks: int, draws: int, seed: int = 0) -> Codes:
    """How often each task occurs in each bootstrap sample of tasks: draws by tasks."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(tasks, np.full(tasks, 1.0 / tasks), size=draws).astype(np.int64)
