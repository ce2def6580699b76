"""How much of the causes of failure the task category explains, and how much the method."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import author_names
from kernelbenchx.analysis.causes import Cause, cause_of, stage_of
from kernelbenchx.analysis.multinomial import (
    Numbers,
    additive_kinds_likelihood,
    kinds_likelihood,
)
from kernelbenchx.analysis.success_counts import last_rounds
from kernelbenchx.analysis.table import Table, Value, columns

REPLICATES = 499
ROUNDING = 1e-6
"""Equal tables differ by rounding, and are equal."""
FEWEST_OF_A_CAUSE = 5
"""Failures: rarer causes are pooled, since each costs degrees of freedom of its own."""
TERMS = (
    "category",
    "method",
    "category + method",
    "category given method",
    "method given category",
)
FACTORS = ((0,), (1,), (0, 1), (0,), (1,))
"""Whose levels each of `TERMS` adds: 0 is category, 1 method."""
GIVEN = 3
"""From here on, terms are given the other factor."""
_NOTHING = "Nothing to explain: no two failures of different known causes."


@dataclass(frozen=True, kw_only=True)
class Failures:
    """Failed kernels by task, method and kind of failure."""

    categories: tuple[str, ...]
    methods: tuple[str, ...]
    kinds: tuple[str, ...]
    category_of: np.ndarray
    """Of each task, as its place in `categories`."""
    counts: Numbers

    def cells(self, category_of: np.ndarray | None = None) -> Numbers:
        """By category in place of task; other labels may be given, also many at once."""
        labels = self.category_of if category_of is None else category_of
        member = (labels[..., None] == np.arange(len(self.categories))).astype(float)
        return np.asarray(np.einsum("...tc,tmk->...cmk", member, self.counts))


def tables(
    attempts: Sequence[Attempt], *, replicates: int = REPLICATES, seed: int = 0
) -> list[Table]:
    """One row for each term, of causes and of stages."""
    failed = [(one, cause) for one in last_rounds(attempts) if (cause := _known_cause(one))]
    frequent = Counter(cause for _, cause in failed)
    named = [
        cause.value if frequent[cause] >= FEWEST_OF_A_CAUSE else Cause.OTHER.value
        for _, cause in failed
    ]
    ways = (("cause", named), ("stage", [stage_of(one).value for one, _ in failed]))
    rows = [
        (outcome, *row)
        for outcome, kinds in ways
        for row in _rows(failures_of([one for one, _ in failed], kinds), replicates, seed)
    ]
    return [
        Table(
            name="variance_causes",
            title="What explains why kernels fail",
            about=(
                "Of kernels that fail with a known cause: multinomial regressions of the cause, or "
                "of the stage, on category and method. Explained is McFadden's R2, the share of "
                "the null model's deviance; adjusted as in the models of success. By chance is "
                "the mean share of a factor alone with its labels dealt out: categories among "
                "whole tasks, methods within each task; p is how often that explains as much."
            ),
            columns=columns(
                ("outcome", "explained is"),
                ("term", "term"),
                ("n", "failures", "count"),
                ("tasks", "tasks", "count"),
                ("kinds", "kinds", "count"),
                ("df", "df", "count"),
                ("drop", "deviance drop", "number"),
                ("explained", "explained", "percent"),
                ("adjusted", "adjusted", "percent"),
                ("chance", "by chance", "percent"),
                ("permutation_p", "permutation p", "number"),
            ),
            rows=tuple(rows),
            notes=(
                "Model: log P(kind k) / P(first kind) = a[k] + b[k, category] + c[k, method],"
                " maximum likelihood, no penalty.",
                f"Causes of fewer than {FEWEST_OF_A_CAUSE} failures are pooled as"
                f" {Cause.OTHER.value}. {replicates} permutations.",
            )
            if rows
            else (_NOTHING,),
        )
    ]


def _known_cause(one: Attempt) -> Cause | None:
    cause = cause_of(one)
    return None if cause is Cause.NOT_SAID else cause


def failures_of(failed: Sequence[Attempt], kinds: Sequence[str]) -> Failures:
    """Counted; categories, methods and kinds in order of name."""
    authors = author_names(failed)
    category = {one.task: one.category for one in failed}
    tasks, levels = sorted(category), sorted(set(category.values()))
    methods, named = sorted(set(authors.values())), sorted(set(kinds))
    counts = np.zeros((len(tasks), len(methods), len(named)))
    for one, kind in zip(failed, kinds, strict=True):
        author = methods.index(authors[one.method, one.model])
        counts[tasks.index(one.task), author, named.index(kind)] += 1.0
    return Failures(
        categories=tuple(levels), methods=tuple(methods), kinds=tuple(named), counts=counts,
        category_of=np.array([levels.index(category[task]) for task in tasks], np.int64),
    )  # fmt: skip


def drops_of(cells: Numbers) -> tuple[Numbers, float]:
    """How far each of `TERMS` lowers the deviance, and the null model's."""
    null = float(kinds_likelihood(cells.sum(axis=(0, 1))[None, :]))
    category, method = (float(kinds_likelihood(cells.sum(axis=axis))) for axis in (1, 0))
    both = float(additive_kinds_likelihood(cells))
    gains = (category - null, method - null, both - null, both - method, both - category)
    return 2.0 * np.array(gains), -2.0 * null


def _rows(found: Failures, replicates: int, seed: int) -> Iterator[tuple[Value, ...]]:
    if len(found.kinds) < 2:
        return
    drops, null = drops_of(found.cells())
    rng = np.random.default_rng(seed)
    # Alone, a factor has a likelihood in closed form: many tables cost nothing.
    likelihoods = (
        kinds_likelihood(_deal_categories(found, rng, replicates).sum(axis=-2)),
        kinds_likelihood(_deal_methods(found, rng, replicates).sum(axis=-3)),
    )
    dealt = [2.0 * one + null for one in likelihoods]
    free = (len(found.categories) - 1, len(found.methods) - 1)
    for at, (term, factors) in enumerate(zip(TERMS, FACTORS, strict=True)):
        needed = free if at >= GIVEN else [free[one] for one in factors]
        if not all(needed):
            continue
        df = sum(free[one] for one in factors) * (len(found.kinds) - 1)
        chance, p = None, None
        if at < len(dealt):
            by_chance = dealt[at]
            chance = float(by_chance.mean() / null)
            p = float(((by_chance >= drops[at] - ROUNDING).sum() + 1) / (replicates + 1))
        yield (
            term,
            int(found.counts.sum()),
            len(found.counts),
            len(found.kinds),
            df,
            float(drops[at]),
            float(drops[at] / null),
            float((drops[at] - 2.0 * df) / null),
            chance,
            p,
        )


def _deal_categories(found: Failures, rng: Generator, many: int) -> Numbers:
    """Among whole tasks."""
    labels = np.tile(found.category_of, (many, 1))
    return found.cells(rng.permuted(labels, axis=1))


def _deal_methods(found: Failures, rng: Generator, many: int) -> Numbers:
    """Within each task, of the methods that failed at it."""
    member = (found.category_of[:, None] == np.arange(len(found.categories))).astype(float)
    tried = found.counts.sum(axis=2) > 0
    dealt = []
    for _ in range(many):
        counts = np.zeros_like(found.counts)
        for task, own in enumerate(tried):
            there = np.flatnonzero(own)
            counts[task, there] = found.counts[task, rng.permutation(there)]
        dealt.append(np.einsum("tc,tmk->cmk", member, counts))
    return np.stack(dealt)
