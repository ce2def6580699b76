"""How often attempts can be called, are right and are timed, by whom and at what."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.cells import ends, interval
from kernelbenchx.analysis.frame import (
    Coded,
    Frame,
    coded,
    crossed,
    frame_of,
)
from kernelbenchx.analysis.intervals import Clusters, Codes, pass_at_k
from kernelbenchx.analysis.paired import SHARES, share_rows
from kernelbenchx.analysis.table import Column, Table, Value, aside, columns

ALL = "all methods"
TRIES = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Values of k for pass@k, as far as attempts reach."""
_RATES = (
    *columns(("tasks", "tasks", "count"), ("attempts", "attempts", "count")),
    *interval("called", "called", "percent"),
    *interval("correct", "correct", "percent"),
    *aside(columns(("mixed", "of them mixed", "count"))),
    *interval("timed", "timed", "percent"),
)
_ABOUT = (
    "Shares of attempts that could be called (loaded, compiled, ran and ended), are correct (at "
    "timed sizes too), and are correct with times that can be trusted; each task has the same "
    "weight, and the intervals are Wilson's with tasks for draws."
)
_LAST = " Of rounds, the last of each task counts."
_ONE_ROUND = "There is one round only: the rates by method are its."
_OVERLAP = "A task with several dtypes stands in the row of each: its verdict is about all of them."


def tables(attempts: Sequence[Attempt], frame: Frame | None = None) -> list[Table]:
    """Rates by method, category, difficulty, dtype and round; pass@k; methods compared by task."""
    every = frame or frame_of(attempts)
    last = every.last
    found = [_by_method(last)]
    found += [
        _by_category(last),
        _by_difficulty(last),
        _by_dtype(last),
        _by_round(every),
        _pass_at_k(last),
    ]
    return [*found, *_paired(last)]


def _by_method(frame: Frame) -> Table:
    groups = crossed(frame.card, frame.author)
    named = columns(("card", "card"), ("method", "method"))
    rows = _rows(frame, np.arange(len(frame)), groups)
    return _table("by_method", "Rates by method", frame, (*named, *_RATES), rows, _LAST)


def _by_category(frame: Frame) -> Table:
    factor = frame.coded(lambda one: one.category)
    return _by_factor(frame, "category", np.arange(len(frame)), factor)


def _by_difficulty(frame: Frame) -> Table:
    rows = np.flatnonzero(frame.flags(lambda one: one.difficulty > 0))
    table = _by_factor(
        frame, "difficulty", rows, frame.pick(rows).coded(lambda one: one.difficulty)
    )
    return _without(table, frame, rows, "difficulty")


def _without(table: Table, frame: Frame, rows: Codes, name: str) -> Table:
    """With a note of tasks of which nobody said it."""
    lost = set(frame.task.codes.tolist()) - set(frame.task.codes[rows].tolist())
    if not lost:
        return table
    return replace(table, notes=(*table.notes, f"Not in it, {name} not said: {len(lost)} tasks."))


def _by_dtype(frame: Frame) -> Table:
    each = [(row, dtype) for row, one in enumerate(frame.attempts) for dtype in one.dtypes]
    rows = np.asarray([row for row, _ in each], np.int64)
    table = _by_factor(frame, "dtype", rows, coded(dtype for _, dtype in each))
    notes = (*table.notes, _OVERLAP) if len(each) > len(set(rows.tolist())) else table.notes
    return _without(replace(table, notes=notes), frame, rows, "dtype")


def _by_factor(frame: Frame, name: str, rows: Codes, factor: Coded) -> Table:
    every, groups = with_all_methods(frame, rows, factor)
    form = "count" if name == "difficulty" else "text"
    named = columns(("card", "card"), ("method", "method"), (name, name, form))
    found = _rows(frame, every, groups)
    return _table(f"by_{name}", f"Rates by {name}", frame, (*named, *_RATES), found, _LAST)


def with_all_methods(frame: Frame, rows: Codes, factor: Coded) -> tuple[Codes, Coded]:
    """Rows and their groups, by card, method and factor; all methods together come first."""
    author, card = frame.author.pick(rows), frame.card.pick(rows)
    if len(set(author.codes.tolist())) < 2:
        return rows, crossed(card, author, factor)
    twice = np.concatenate([np.zeros_like(author.codes), author.codes + 1])
    groups = crossed(
        Coded(np.tile(card.codes, 2), card.labels),
        Coded(twice, (ALL, *author.labels)),
        Coded(np.tile(factor.codes, 2), factor.labels),
    )
    return np.tile(rows, 2), groups


def _by_round(frame: Frame) -> Table:
    rounds = frame.coded(lambda one: one.round)
    groups = crossed(frame.card, frame.author, rounds)
    named = columns(("card", "card"), ("method", "method"), ("round", "round", "count"))
    more = " Only attempts made in that round; `iterations` follows tasks through rounds."
    rows = _rows(frame, np.arange(len(frame)), groups) if len(rounds.labels) > 1 else []
    table = _table("by_round", "Rates by round", frame, (*named, *_RATES), rows, more)
    single = len(rounds.labels) == 1
    return replace(table, notes=(*table.notes, _ONE_ROUND)) if single else table


def _rows(frame: Frame, rows: Codes, groups: Coded) -> list[tuple[Value, ...]]:
    stages = frame.stages
    count, tasks = len(groups.labels), frame.task.codes[rows]
    whole = Clusters(tasks, groups.codes, count)
    mixes = whole.totals(frame.mixed[rows])
    found = {}
    for name, stage in stages.items():
        asked = stage.askable[rows]
        there = Clusters(tasks[asked], groups.codes[asked], count)
        found[name] = there.shares(stage.yes[rows][asked])
    return [
        (
            *label,
            int(whole.tasks[row]),
            int(whole.attempts[row]),
            *ends(found["called"], row),
            *ends(found["correct"], row),
            int(mixes[row]),
            *ends(found["timed"], row),
        )
        for row, label in enumerate(groups.labels)
    ]


def _pass_at_k(frame: Frame) -> Table:
    stage = frame.stages["correct"]
    judged = frame.pick(stage.askable)
    right = stage.yes[stage.askable]
    groups = crossed(judged.card, judged.author)
    cells = crossed(judged.card, judged.author, judged.task)
    tries = np.bincount(cells.codes)
    hits = np.bincount(cells.codes, weights=right)
    rows: list[tuple[Value, ...]] = []
    for k in TRIES if tries.size and tries.max() > 1 else ():
        known = (tries >= k)[cells.codes]
        if not known.any():
            break
        there = Clusters(judged.task.codes[known], groups.codes[known], len(groups.labels))
        chance = there.shares(pass_at_k(tries, hits, k)[cells.codes][known])
        rows += [
            (*label, k, int(chance.tasks[row]), int(chance.n[row]), *ends(chance, row))
            for row, label in enumerate(groups.labels)
            if chance.tasks[row]
        ]
    return Table(
        name="pass_at_k",
        title="pass@k",
        about=(
            "The chance that at least one of k attempts is correct: one minus the share of all "
            "choices of k among a task's attempts that hold no correct one (unbiased), averaged "
            "over the tasks with at least k attempts in their last round."
        ),
        columns=(
            *columns(("card", "card"), ("method", "method"), ("k", "k", "count")),
            *columns(("tasks", "tasks", "count"), ("attempts", "attempts", "count")),
            *interval("pass", "pass@k", "percent"),
        ),
        rows=tuple(sorted(rows, key=lambda row: tuple(map(str, row[:2])))),
        notes=frame.notes,
    )


def _paired(frame: Frame) -> Iterator[Table]:
    for name, stage in frame.stages.items():
        asked = frame.pick(stage.askable)
        yield Table(
            name=f"paired_{name}",
            title=f"Methods compared by task: {name}",
            about=(
                f"Share of {name} attempts of two methods over the tasks that both tried, and "
                "the difference, with an interval that uses the pairing (Agresti and Min). p is "
                "McNemar's exact test, the sign test over tasks where there are several attempts; "
                "Holm's correction is over the pairs of this table and card."
            ),
            columns=SHARES,
            rows=tuple(share_rows(asked, stage.yes[stage.askable])),
            notes=frame.notes,
        )


def _table(
    name: str,
    title: str,
    frame: Frame,
    named: tuple[Column, ...],
    rows: list[Any],
    more: str = "",
) -> Table:
    return Table(
        name=name,
        title=title,
        about=_ABOUT + more,
        columns=named,
        rows=tuple(rows),
        notes=frame.notes,
    )
