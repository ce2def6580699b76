"""Correlates the structure of a task's reference with failures at the task."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kernelbenchx import catalog
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.intervals import Codes, Floats
from kernelbenchx.analysis.resampling import correlation, ends
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.source_structure import Structure

_FEWEST = 10
"""Tasks below which a correlation, and draws of them, say nothing at all."""
_NOTHING = f"Nothing to correlate: fewer than {_FEWEST} tasks, or all attempts end alike."
_COUNTS = {
    "torch_calls": "calls of functions of torch, methods of tensors and layers",
    "arithmetic": "operators between two values",
    "intermediates": "assignments",
    "complexity": "largest cyclomatic complexity of a function",
    "functions": "functions",
    "lines": "lines of code",
    "parameters": "parameters of the entry",
}


@dataclass(frozen=True, kw_only=True)
class _FailureKind:
    """A way to fail, and the attempts about which it can be asked."""

    name: str
    asked: Callable[[Attempt], bool]
    failed: Callable[[Attempt], bool]


_WAYS = (
    _FailureKind(
        name="not correct",
        asked=lambda one: one.outcome != "reached",
        failed=lambda one: not one.correct,
    ),
    _FailureKind(
        name="does not run",
        asked=lambda one: one.outcome != "reached" or one.called,
        failed=lambda one: not one.called,
    ),
    _FailureKind(
        name="wrong, of those that run",
        asked=lambda one: one.outcome in ("wrong", "correct"),
        failed=lambda one: not one.correct,
    ),
)


def tables(
    attempts: Sequence[Attempt], structures: Mapping[str, Structure] | None = None
) -> list[Table]:
    """Correlation of each count with each way to fail, and the counts themselves.

    Without `structures` the catalogue is asked.
    """
    known = _find_structures(attempts) if structures is None else structures
    used = [one for one in attempts if one.counts and one.task in known]
    return [_correlations(attempts, used, known), _counts(used, known)]


def _find_structures(attempts: Sequence[Attempt]) -> dict[str, Structure]:
    tasks = {one.task for one in attempts}
    return {name: facts(name).structure for name in tasks if catalog.path_of(name).is_file()}


def _correlations(
    attempts: Sequence[Attempt], used: Sequence[Attempt], known: Mapping[str, Structure]
) -> Table:
    rows = tuple(_rows(used, known))
    tasks, there = len({one.task for one in attempts}), len({one.task for one in used})
    return Table(
        name="structure",
        title="How the reference is built, against failure",
        about="Pearson's correlation of a count with failing: over attempts (point-biserial, "
        "failed is 1) and over tasks (with the task's share of failed attempts). Intervals are "
        "from resampling tasks. The counts describe how a reference is written: a single torch "
        "function may hide any amount of work, and many counts are tried at once.",
        columns=columns(
            ("count", "count"),
            ("failure", "failure"),
            ("attempts", "attempts", "count"),
            ("tasks", "tasks", "count"),
            ("by_attempt", "r over attempts", "number"),
            ("by_attempt_low", "low", "number"),
            ("by_attempt_high", "high", "number"),
            ("by_task", "r over tasks", "number"),
            ("by_task_low", "low", "number"),
            ("by_task_high", "high", "number"),
        ),
        rows=rows,
        notes=(
            f"{there} of {tasks} tasks are in the catalogue and were counted",
            *(() if rows else (_NOTHING,)),
        ),
    )


def _rows(used: Sequence[Attempt], known: Mapping[str, Structure]) -> Iterator[tuple[Value, ...]]:
    for way in _WAYS:
        asked = [one for one in used if way.asked(one)]
        named, tasks = np.unique([one.task for one in asked], return_inverse=True)
        if named.size < _FEWEST:
            continue
        failed = np.array([way.failed(one) for one in asked], float)
        if failed.min() == failed.max():
            continue
        shares = np.bincount(tasks, weights=failed) / np.bincount(tasks)
        for count in _COUNTS:
            values = np.array([getattr(known[str(name)], count) for name in named], float)
            yield (
                count.replace("_", " "),
                way.name,
                len(asked),
                int(named.size),
                *_correlate(values[tasks], failed, tasks),
                *_correlate(values, shares, np.arange(named.size)),
            )


def _correlate(values: Floats, failed: Floats, tasks: Codes) -> tuple[float, float, float]:
    value, draws = correlation(values, failed, tasks)
    return (value, *ends(draws))


def _counts(used: Sequence[Attempt], known: Mapping[str, Structure]) -> Table:
    named = sorted({one.task for one in used})
    words = "; ".join(f"{name.replace('_', ' ')}: {meaning}" for name, meaning in _COUNTS.items())
    return Table(
        name="structure_counts",
        title="How the references are built",
        about="Counted in the syntax tree of the reference and of the functions of its file that "
        f"it calls. {words}. Operators of a task, as `kbx show` counts them, are steps of its "
        "statement and not of its reference: `kbx analyze variance --by operators`.",
        columns=columns(
            ("task", "task"), *((name, name.replace("_", " "), "count") for name in _COUNTS)
        ),
        rows=tuple(
            (name, *(int(getattr(known[name], count)) for count in _COUNTS)) for name in named
        ),
    )
