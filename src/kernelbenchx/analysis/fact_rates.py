"""Rates and speeds by facts of the task, and by how its reference is written."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.fact_groups import ABOUT, BOUND, FACTS, TaskGroups, groups_of
from kernelbenchx.analysis.frame import AttemptFrame, encode_labels, frame_of
from kernelbenchx.analysis.groupings import with_all_methods
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.analysis.timed_kernels import EAGER, speedups

_NOTHING = "No task of these runs is in the catalogue: its facts are not known."


def tables(
    attempts: Sequence[Attempt],
    *,
    by: Sequence[str] = FACTS,
    bounds: Mapping[str, str] | None = None,
    gpu: str = "",
    frame: AttemptFrame | None = None,
) -> list[Table]:
    """One table: a row for each GPU, method, fact and group."""
    last = (frame or frame_of(attempts)).last
    groups = groups_of({one.task for one in last.attempts}, by, bounds)
    rows = [row for one in groups for row in _rows(last, one)]
    on = f" on {gpu}" if gpu and BOUND in by else ""
    return [
        Table(
            name="rates_by_fact",
            title="Rates and speeds by facts of the task",
            about=(
                ABOUT.format(on) + "Shares of kernels kept at the end, each task with the same "
                "weight, Wilson's interval over tasks. Speedup over eager is of correct kernels "
                "of Triton alone with times that can be trusted: geometric mean over tasks, "
                "Student's interval."
            ),
            columns=(
                *columns(
                    ("gpu", "GPU"),
                    ("method", "method"),
                    ("by", "by"),
                    ("kind", "kind"),
                    ("group", "group"),
                    ("tasks", "tasks", "count"),
                    ("attempts", "attempts", "count"),
                ),
                *interval("called", "called", "percent"),
                *interval("core", "core", "percent"),
                *interval("correct", "correct", "percent"),
                *columns(("kernels", "timed", "count")),
                *interval("speedup", "speedup", "ratio"),
            ),
            rows=tuple(rows),
            notes=last.notes if rows else (*last.notes, _NOTHING),
        )
    ]


def _rows(last: AttemptFrame, by: TaskGroups) -> Iterator[tuple[Value, ...]]:
    known = np.flatnonzero(last.flags(lambda one: one.task in by.of))
    if not known.size:
        return
    factor = encode_labels(by.of[last.attempts[row].task] for row in known)
    rows, groups = with_all_methods(last, known, factor)
    tasks, count = last.task.codes[rows], len(groups.labels)
    whole = Clusters(tasks, groups.codes, count)
    found = []
    for name in ("called", "core", "correct"):
        stage = last.stages[name]
        asked = stage.askable[rows]
        there = Clusters(tasks[asked], groups.codes[asked], count)
        found.append(there.shares(stage.yes[rows][asked]))
    over = speedups(last, EAGER)
    pure = last.flags(lambda one: one.composition == "pure")
    timed = (np.isfinite(over) & (over > 0) & pure)[rows]
    speed = Clusters(tasks[timed], groups.codes[timed], count).geometric_means(over[rows][timed])
    for row, (card, method, group) in enumerate(groups.labels):
        sizes = int(whole.tasks[row]), int(whole.attempts[row])
        shares = (cell for one in found for cell in ends(one, row))
        named = card, method, by.name, by.kind, group
        yield *named, *sizes, *shares, int(speed.n[row]), *ends(speed, row)
