"""The published results, analysed: what reproduces the paper's numbers and what they depend on."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from kernelbenchx.analysis import (
    published_checks,
    published_headline,
    published_kernels,
    published_models,
    published_times,
    sensitivity,
)
from kernelbenchx.analysis.deviance_resampling import permutation_p, spread
from kernelbenchx.analysis.explained_deviance import TERMS, deviances
from kernelbenchx.analysis.published_attempts import TaskArrangement, attempts, successes
from kernelbenchx.analysis.published_data import NEAR_ZERO
from kernelbenchx.analysis.published_models import is_compiled, is_correct
from kernelbenchx.analysis.relabelling import DOUBTFUL, describe_moves, enumerate_moves
from kernelbenchx.analysis.success_counts import Counts
from kernelbenchx.analysis.table import Table, Value, columns

__all__ = ["TaskArrangement", "attempts", "tables"]

Numbers = NDArray[np.float64]

SHOWN = ("category", "method", "category given method", "method given category")


def tables(about: Collection[str] | None = None) -> list[Table]:
    """What the paper prints about these analyses, against what follows from its counts.

    Its own headline comes first, then what else it is known for.
    """
    chosen = [make for name, make in _ABOUT.items() if about is None or name in about]
    found = [table for make in chosen for table in make()]
    return sorted(found, key=lambda table: _OPENING.get(table.name, len(_OPENING)))


def opening() -> list[Table]:
    """What `kbx analyze published` says first."""
    return [
        published_headline.headline(),
        published_kernels.tabulate_rescued(),
        published_headline.wording(),
    ]


def _rates() -> list[Table]:
    return [
        published_headline.wording(),
        published_checks.totals(),
        published_checks.categories(),
        published_checks.text(),
        published_checks.tabulate_arrangements(),
    ]


def _variance() -> list[Table]:
    return [
        published_headline.headline(),
        published_models.correctness(),
        published_models.compilation(),
        *_sensitivity(),
        _intervals(),
    ]


def _sensitivity() -> list[Table]:
    rows: list[sensitivity.ShareComparison] = []
    for outcome, succeeded in (("correct", is_correct), ("compile", is_compiled)):
        five = sensitivity.compare_shares(
            outcome, "all five methods", successes(succeeded, without=())
        )
        for name, part in sensitivity.variants(successes(succeeded), None):
            named = "four methods" if name == "all" else f"four, {name}"
            rows.append(sensitivity.compare_shares(outcome, named, part))
            if name == "all":
                rows.append(five)
    return sensitivity.as_tables(
        "published_sensitivity",
        "What the paper's answer depends on",
        rows,
        (f"Four methods: all but {NEAR_ZERO}. Corrected shares hold for tasks arranged alike.",),
    )


def _intervals() -> Table:
    return Table(
        name="published_intervals",
        title="Intervals and tests by task, for two arrangements of tasks",
        about=(
            "Four methods, correctness. Which tasks a method solved is not published: alike, all"
            " methods solve the same; spread, each solves others. The truth lies between, nearer to"
            " alike. Raw shares and likelihood-ratio tests are the same for both."
        ),
        columns=columns(
            ("arrangement", "arrangement"),
            ("term", "term"),
            ("n", "attempts", "count"),
            ("tasks", "tasks", "count"),
            ("raw", "raw", "percent"),
            ("corrected", "corrected", "percent"),
            ("low", "from", "percent"),
            ("high", "to", "percent"),
            ("permutation_p", "permutation p", "number"),
        ),
        rows=tuple(row for one in TaskArrangement for row in _interval_rows(one)),
    )


def _interval_rows(arrangement: TaskArrangement) -> Iterator[tuple[Value, ...]]:
    counts = successes(is_correct, arrangement=arrangement)
    found = spread(counts, rng=np.random.default_rng(0))
    dealt = permutation_p(counts, rng=np.random.default_rng(0))
    for term in SHOWN:
        at = TERMS.index(term)
        parts = (found.raw, found.corrected, found.low, found.high, dealt)
        sizes = (counts.n, len(counts.tasks))
        yield (arrangement.value, term, *sizes, *(float(part[at]) for part in parts))


def _tabulate_relabelling() -> Table:
    """Other labels for tasks whose outcomes are not known: from the least to the most."""
    counts = successes(is_correct)
    return Table(
        name="published_relabelled",
        title="Explained deviance with doubtful tasks filed elsewhere",
        about=(
            "Four methods, correctness. What became of a single task is not published, so every"
            " outcome that the counts allow is tried: the share of category lies between."
        ),
        columns=columns(
            ("labels", "labels"),
            ("outcomes", "outcomes tried", "count"),
            ("least", "category, least", "percent"),
            ("most", "category, most", "percent"),
            ("given_least", "given method, least", "percent"),
            ("given_most", "given method, most", "percent"),
        ),
        rows=tuple(_bounds(counts, moved) for moved in enumerate_moves(DOUBTFUL)),
    )


def _bounds(counts: Counts, moved: Mapping[str, str]) -> tuple[Value, ...]:
    hits, tries = counts.cells()
    steps = [
        (counts.categories.index(one.filed), counts.categories.index(moved[one.task]))
        for one in DOUBTFUL
        if one.task in moved
    ]
    tried = tries.copy()
    for old, new in steps:
        tried[old] -= 1.0
        tried[new] += 1.0
    possible = np.stack(list(_outcomes(hits, tried, steps)))
    shares = deviances(possible, np.broadcast_to(tried, possible.shape)).shares
    category, given = (shares[:, TERMS.index(term)] for term in ("category", SHOWN[2]))
    ends = (category.min(), category.max(), given.min(), given.max())
    return (describe_moves(moved), len(possible), *map(float, ends))


def _outcomes(hits: Numbers, tries: Numbers, steps: Sequence[tuple[int, int]]) -> Iterator[Numbers]:
    """Successes by category and method after the moves, for all outcomes of the moved tasks."""
    patterns = list(product((0.0, 1.0), repeat=hits.shape[1]))
    for way in product(patterns, repeat=len(steps)):
        after = hits.copy()
        for (old, new), pattern in zip(steps, way, strict=True):
            after[old] -= pattern
            after[new] += pattern
        if ((after >= 0.0) & (after <= tries)).all():
            yield after


_OPENING = {"published_headline": 0, "published_rescued": 1, "published_wording": 2}

_ABOUT: dict[str, Callable[[], list[Table]]] = {
    "rates": _rates,
    "speed": lambda: [published_times.speed()],
    "variance": _variance,
    "iterations": lambda: [
        published_times.round_rates(),
        published_kernels.tabulate_rescued(),
        published_kernels.tabulate_gains(),
        published_times.rounds(),
    ],
    "hardware": lambda: [published_times.list_gpus()],
    "categories": lambda: [_tabulate_relabelling()],
}
"""By the analysis that asks the same of a run."""
