"""The share of success that facts of a task explain, beside its category and within it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.deviance_resampling import spread
from kernelbenchx.analysis.explained_deviance import shares_alone
from kernelbenchx.analysis.fact_groups import ABOUT, BOUND, FACTS, TaskGroups, groups_of
from kernelbenchx.analysis.glm import group_likelihood
from kernelbenchx.analysis.interval_cells import interval
from kernelbenchx.analysis.intervals import Codes, Floats
from kernelbenchx.analysis.success_counts import Counts
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.analysis.two_way import additive_likelihood
from kernelbenchx.analysis.variance import can_be_fitted, outcomes

REPLICATES = 500
CATEGORY = "category"
_NOTHING = "Nothing to explain: fewer than two groups of known tasks, or all attempts end alike."


def tables(
    attempts: Sequence[Attempt],
    *,
    by: Sequence[str] = FACTS,
    bounds: Mapping[str, str] | None = None,
    gpu: str = "",
    replicates: int = REPLICATES,
    seed: int = 0,
) -> list[Table]:
    """One row for category, each fact and each proxy, of both outcomes."""
    groups = groups_of({one.task for one in attempts}, by, bounds)
    rows = [
        (outcome, *row)
        for outcome, counts in outcomes(attempts)
        for row in _rows(counts, groups, replicates, seed)
    ]
    on = f" on {gpu}" if gpu and BOUND in by else ""
    return [
        Table(
            name="variance_facts",
            title="Success explained by facts of the task",
            about=(
                ABOUT.format(on) + "`explained` is the share of deviance that a fact alone "
                "explains, corrected for bias, with an interval from drawing tasks again; p deals "
                "its groups out among tasks. `beyond category` is what it adds to a model with "
                "category, and its p deals groups out within each category. `category beyond it` "
                "is what category adds to the fact. All over the tasks with known facts."
            ),
            columns=(
                *columns(
                    ("outcome", "outcome"),
                    ("factor", "by"),
                    ("kind", "kind"),
                    ("groups", "groups", "count"),
                    ("tasks", "tasks", "count"),
                    ("n", "attempts", "count"),
                    ("raw", "raw", "percent"),
                ),
                *interval("explained", "explained", "percent"),
                *columns(
                    ("p", "p", "number"),
                    ("df", "df within", "count"),
                    ("beyond", "beyond category", "percent"),
                    ("beyond_p", "p within", "number"),
                    ("category_beyond", "category beyond it", "percent"),
                ),
            ),
            rows=tuple(rows),
            notes=(f"{replicates} draws and permutations.",) if rows else (_NOTHING,),
        )
    ]


def _rows(
    counts: Counts, groups: Sequence[TaskGroups], replicates: int, seed: int
) -> Iterator[tuple[Value, ...]]:
    known = [set(one.of) for one in groups if one.kind == "fact"]
    named = set.union(*known) if known else set()
    there = counts.without_tasks(set(counts.tasks) - named)
    if not there.tasks or not can_be_fitted(there):
        return
    named_homes = (there.categories[at] for at in there.category_of)
    home = dict(zip(there.tasks, named_homes, strict=True))
    own = TaskGroups(CATEGORY, CATEGORY, home)
    for one in (own, *groups):
        part = there.without_tasks(set(there.tasks) - set(one.of))
        if len({one.of[task] for task in part.tasks}) > 1 and can_be_fitted(part):
            yield _row(part, one, np.random.default_rng(seed), replicates)


def _row(counts: Counts, groups: TaskGroups, rng: Generator, replicates: int) -> tuple[Value, ...]:
    labelled = counts.assign_categories([groups.of[task] for task in counts.tasks])
    found = spread(labelled.pool_singletons(), rng=rng, replicates=replicates, sharing=shares_alone)
    pair = _Pair.of(counts, labelled)
    ends = float(found.corrected[0]), float(found.low[0]), float(found.high[0])
    head = groups.name, groups.kind, len(labelled.categories), len(counts.tasks), counts.n
    alone = *head, pair.share(pair.null - pair.fact), *ends, pair.p_alone(rng, replicates)
    if groups.name == CATEGORY or not pair.freedom:
        return *alone, None if groups.name == CATEGORY else 0, None, None, None
    drop = pair.category - pair.both
    within = pair.p_within(rng, replicates)
    return *alone, pair.freedom, pair.share(drop), within, pair.share(pair.fact - pair.both)


@dataclass(frozen=True)
class _Pair:
    """Category and one fact of each task, with successes and trials over all methods."""

    home: Codes
    group: Codes
    hits: Floats
    tries: Floats

    @classmethod
    def of(cls, counts: Counts, labelled: Counts) -> "_Pair":
        sums = counts.successes.sum(axis=1), counts.trials.sum(axis=1)
        return cls(counts.category_of, labelled.category_of, *sums)

    @property
    def null(self) -> float:
        return _deviance(self.hits.sum()[None], self.tries.sum()[None])

    @property
    def category(self) -> float:
        return self._compute_deviance(self.home)

    @property
    def fact(self) -> float:
        return self._compute_deviance(self.group)

    @property
    def both(self) -> float:
        return float(_additive(*self._tables(self.group[None]))[0])

    @property
    def freedom(self) -> int:
        """Groups that categories do not already tell apart."""
        return int(self.group.max()) + 1 - _count_components(self.home, self.group)

    def share(self, drop: float) -> float:
        return max(0.0, drop) / self.null

    def p_alone(self, rng: Generator, replicates: int) -> float:
        """Groups dealt out among all tasks."""
        found = self.fact + 1e-6
        dealt = [self._compute_deviance(rng.permutation(self.group)) for _ in range(replicates)]
        return (1 + sum(one <= found for one in dealt)) / (replicates + 1)

    def p_within(self, rng: Generator, replicates: int) -> float:
        """Groups dealt out among the tasks of each category."""
        dealt = np.tile(self.group, (replicates, 1))
        for home in np.unique(self.home):
            own = self.home == home
            dealt[:, own] = rng.permuted(dealt[:, own], axis=1)
        found = _additive(*self._tables(dealt))
        return float((1 + (found <= self.both + 1e-6).sum()) / (replicates + 1))

    def _compute_deviance(self, groups: Codes) -> float:
        """Of a model in which each group has a rate of its own."""
        hits, tries = (np.bincount(groups, one) for one in (self.hits, self.tries))
        return _deviance(np.asarray(hits, float), np.asarray(tries, float))

    def _tables(self, groups: Codes) -> tuple[Floats, Floats]:
        """Successes and trials by category and group, for each row of groups."""
        shape = len(groups), int(self.home.max()) + 1, int(self.group.max()) + 1
        hits, tries = np.zeros(shape), np.zeros(shape)
        for row, own in enumerate(groups):
            np.add.at(hits[row], (self.home, own), self.hits)
            np.add.at(tries[row], (self.home, own), self.tries)
        return hits, tries


def _deviance(hits: Floats, tries: Floats) -> float:
    return float(-2.0 * group_likelihood(hits[None], tries[None])[0])


def _additive(hits: Floats, tries: Floats) -> Floats:
    return np.asarray(-2.0 * additive_likelihood(hits, tries), float)


def _count_components(home: Codes, group: Codes) -> int:
    """Parts of the graph that joins a category with every group that occurs in it."""
    parts: list[tuple[set[int], set[int]]] = []
    for one, other in sorted(set(zip(home.tolist(), group.tolist(), strict=True))):
        near = [part for part in parts if one in part[0] or other in part[1]]
        parts = [part for part in parts if part not in near]
        homes, groups = {one}, {other}
        for part in near:
            homes |= part[0]
            groups |= part[1]
        parts.append((homes, groups))
    return len(parts)
