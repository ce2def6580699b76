"""Rounds as tables: what the kernel that is kept shows after each, and what candidates show."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.fast_p import BOUNDS, SHARES, fast_rows
from kernelbenchx.analysis.frame import (
    AttemptFrame,
    CodedColumn,
    Flags,
    cross_columns,
    encode_labels,
)
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters, Intervals, cut
from kernelbenchx.analysis.table import Column, Table, Value, aside, columns
from kernelbenchx.analysis.timed_kernels import EAGER, speedups

THRESHOLDS = (0.0, 0.5, 1.0, 1.5, 2.0)
PURE = "pure"
KEPT = (
    "Kept is the kernel that a method would hand in after that round, chosen by what the method "
    "saw: other calls than the verdict's, and times. The verdict on it is shown, so a curve may "
    "fall. A line without an attempt in a round stands where it stood; methods with a single round "
    "are not here. "
)
_RATES = (
    "`called`: loaded, compiled, ran and ended; `core`: all core cases pass; `correct`: all cases. "
    "Each task has the same weight; Wilson's interval with tasks for draws. "
)
_SPEED = (
    "Speedup and Score are of correct kernels of Triton alone with times that can be trusted: "
    "geometric and arithmetic mean over tasks, Student's interval. `fast_1` is the share of all "
    "that are correct, of Triton alone and more than once as fast as eager. "
)
_WHO = columns(
    ("gpu", "GPU"),
    ("method", "method"),
    ("round", "round", "count"),
    ("tasks", "tasks", "count"),
)
_STAGES = (
    *interval("called", "called", "percent"),
    *interval("core", "core", "percent"),
    *interval("correct", "correct", "percent"),
)
_FAST: tuple[Column, ...] = (
    *columns(
        ("gpu", "GPU"),
        ("baseline", "over"),
        ("composition", "composition"),
        ("method", "method"),
        ("round", "round", "count"),
        ("p", "p", "number"),
        ("tasks", "tasks", "count"),
        ("lines", "lines", "count"),
    ),
    *SHARES,
)


def by_turn(frame: AttemptFrame) -> CodedColumn:
    """GPU, method and the round after which kernels are looked at."""
    return cross_columns(frame.card, frame.author, encode_labels(frame.turn.tolist()))


def of_several_rounds(frame: AttemptFrame) -> AttemptFrame:
    """Attempts of methods that tried again in a later round, or handed a kernel in."""
    if not len(frame):
        return frame
    groups = cross_columns(frame.card, frame.author)
    rounds = cross_columns(groups, encode_labels(frame.rounds.tolist()))
    many = Counter(group for group, _ in rounds.labels)
    several = np.asarray([many[label] > 1 for label in groups.labels], bool)
    return frame.pick(several[groups.codes])


def kept_table(frame: AttemptFrame, notes: tuple[str, ...]) -> Table:
    """Rates, speed, Score and fast_1 of the kept kernel after each round."""
    return Table(
        name="rounds",
        title="The kept kernel after each round",
        about=KEPT + _RATES + _SPEED + "The last row of a method is what `rates` and `speed` show.",
        columns=(
            *_WHO,
            *columns(("lines", "lines", "count"), ("carried", "not tried again", "count")),
            *_STAGES,
            *aside(columns(("mixed", "of them mixed", "count"))),
            *columns(("timed", "timed", "count")),
            *interval("speedup", "speedup", "ratio"),
            *interval("score", "Score", "percent"),
            *interval("fast_1", "fast_1", "percent"),
        ),
        rows=tuple(_kept_rows(frame)),
        notes=notes,
    )


def candidates_table(frame: AttemptFrame, notes: tuple[str, ...]) -> Table:
    """Rates of what was written in each round."""
    return Table(
        name="candidates",
        title="Candidates of each round",
        about=(
            "Every kernel that a method wrote in that round counts, also those that it dropped; "
            "what it handed in again does not. " + _RATES
        ),
        columns=(*_WHO, *columns(("attempts", "candidates", "count")), *_STAGES),
        rows=tuple(_candidate_rows(frame)),
        notes=notes,
    )


def fast_table(frame: AttemptFrame, thresholds: Sequence[float], notes: tuple[str, ...]) -> Table:
    """fast_p of the kept kernel after each round, over every baseline."""
    kept = frame.kept
    return Table(
        name="round_fast_p",
        title="fast_p of the kept kernel after each round",
        about=KEPT + "fast_p is the share of all that are correct and more than p times as fast, "
        f"as in `speed`. {BOUNDS}Each task has the same weight; Wilson's interval with tasks for "
        "draws.",
        columns=_FAST,
        rows=tuple(fast_rows(kept, sorted(set(thresholds)), by_turn)),
        notes=notes,
    )


def _kept_rows(frame: AttemptFrame) -> Iterator[tuple[Value, ...]]:
    kept = frame.kept
    if not len(kept):
        return
    groups = by_turn(kept)
    whole = Clusters(kept.task.codes, groups.codes, len(groups.labels))
    fresh = set(zip(frame.answer.tolist(), frame.turn.tolist(), strict=True))
    at = zip(kept.answer.tolist(), kept.turn.tolist(), strict=True)
    carried = whole.totals([pair not in fresh for pair in at])
    mixes = whole.totals(kept.mixed)
    found, speed = _stages(kept, groups), _RoundSpeeds(kept, groups)
    fast = {
        tuple(row[at] for at in (0, 3, 4)): row[8:11]
        for row in fast_rows(kept, (1.0,), by_turn)
        if row[1] == EAGER and row[2] == PURE
    }
    for row, label in enumerate(groups.labels):
        yield (
            *label,
            int(whole.tasks[row]),
            int(whole.attempts[row]),
            int(carried[row]),
            *(cell for one in found for cell in ends(one, row)),
            int(mixes[row]),
            *speed.cells(row),
            *fast.get(label, (None, None, None)),
        )


def _candidate_rows(frame: AttemptFrame) -> Iterator[tuple[Value, ...]]:
    written = frame.pick(frame.flags(lambda one: not one.handed_in))
    if not len(written):
        return
    groups = by_turn(written)
    whole = Clusters(written.task.codes, groups.codes, len(groups.labels))
    found = _stages(written, groups)
    for row, label in enumerate(groups.labels):
        counts = int(whole.tasks[row]), int(whole.attempts[row])
        yield *label, *counts, *(cell for one in found for cell in ends(one, row))


def _stages(frame: AttemptFrame, groups: CodedColumn) -> list[Intervals]:
    """Shares of those that can be asked: called, core, correct."""
    found = []
    for name in ("called", "core", "correct"):
        stage = frame.stages[name]
        asked = stage.askable
        there = Clusters(frame.task.codes[asked], groups.codes[asked], len(groups.labels))
        found.append(there.shares(stage.yes[asked]))
    return found


class _RoundSpeeds:
    """Of kernels of Triton alone, over eager."""

    def __init__(self, frame: AttemptFrame, groups: CodedColumn) -> None:
        over = speedups(frame, EAGER)
        pure = frame.flags(lambda one: one.composition == PURE)
        timed = np.isfinite(over) & (over > 0) & pure
        score = np.where(timed, frame.numbers(lambda one: one.score), np.nan)
        self._speedup = _of(frame, groups, timed, lambda one: one.geometric_means(over[timed]))
        scored = np.isfinite(score)
        self._score = _of(frame, groups, scored, lambda one: cut(one.means(score[scored])))

    def cells(self, row: int) -> tuple[Value, ...]:
        """How many have a time, the speedup and the Score."""
        speed = ends(self._speedup, row)
        return int(self._speedup.n[row]), *speed, *ends(self._score, row)


def _of(
    frame: AttemptFrame, groups: CodedColumn, rows: Flags, what: Callable[[Clusters], Intervals]
) -> Intervals:
    return what(Clusters(frame.task.codes[rows], groups.codes[rows], len(groups.labels)))
