"""How often attempts run, are correct and are timed, by method, category and other groups."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import AttemptFrame, CodedColumn, cross_columns, frame_of
from kernelbenchx.analysis.groupings import Grouping, by_run_factor, groupings
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters, Codes, Intervals, pass_at_k
from kernelbenchx.analysis.method_pairs import SHARES, note_unpaired, share_rows
from kernelbenchx.analysis.published_attempts import RUN as PUBLISHED
from kernelbenchx.analysis.table import Table, Value, aside, columns
from kernelbenchx.core.solved import MEANING

TRIES = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Usual values of k for pass@k; the most attempts at a task is always one."""
_RATES = (
    *columns(("tasks", "tasks", "count"), ("attempts", "attempts", "count")),
    *interval("solved", "solved", "percent"),
    *interval("called", "called", "percent"),
    *interval("core", "core", "percent"),
    *interval("correct", "correct", "percent"),
    *interval("corners", "corners", "percent"),
    *aside(columns(("mixed", "of them mixed", "count"))),
    *interval("timed", "timed", "percent"),
)
_NO_CORE = "{} attempts are not in `core`: none of its cases was judged."
_ABOUT = (
    f"`solved` is a share of tasks: {MEANING[0].lower()}{MEANING[1:]} "
    "The other columns are shares of attempts. `called`: loaded, compiled, ran and ended. `core`: "
    "passed all core cases. `correct`: passed every case, at timed sizes too, or what `--correct` "
    "asks for. `timed`: correct, with times that can be trusted. Each task has the same weight. "
    "Intervals are Wilson's, over tasks."
)
PASS_AT_K = (
    "The chance that at least one of k attempts is correct: one minus the share of all "
    "choices of k among a task's attempts that hold no correct one (unbiased). It is the "
    "mean over the tasks with at least k kept kernels, one for each sample or run."
)
_COMPARED = ("called", "core", "correct", "timed")
"""Two methods are compared by these."""


def tables(attempts: Sequence[Attempt], frame: AttemptFrame | None = None) -> list[Table]:
    """Rates by method, category, difficulty, dtype, round, model and prompt; pass@k; pairs."""
    every = frame or frame_of(attempts)
    found = [_rates(one) for one in (*groupings(every), by_run_factor(every))]
    return [*found, _pass_at_k(every.last), *_tabulate_pairs(every.last)]


def by_method(every: AttemptFrame) -> Table:
    """The first of the tables alone."""
    return _rates(next(groupings(every)))


def _rates(by: Grouping) -> Table:
    return Table(
        name=f"by_{by.by}",
        title=f"Rates by {by.by}",
        about=_ABOUT + by.about,
        columns=(*by.columns, *_RATES),
        rows=tuple(_rows(by)),
        notes=(*by.notes, *_note_ungraded(by.frame)),
    )


def _note_ungraded(frame: AttemptFrame) -> tuple[str, ...]:
    """Where some have no rate of core beside others that have one."""
    stages = frame.stages
    lost = int((stages["correct"].askable & ~stages["core"].askable).sum())
    return (_NO_CORE.format(lost),) if lost and stages["core"].askable.any() else ()


def _rows(by: Grouping) -> Iterator[tuple[Value, ...]]:
    frame, rows, tasks, codes = by.frame, by.rows, by.tasks, by.groups.codes
    whole = Clusters(tasks, codes, by.count)
    mixes = whole.totals(frame.mixed[rows])
    told = set(codes[frame.flags(lambda one: one.run != PUBLISHED)[rows]].tolist())
    found = {}
    for name, stage in frame.stages.items():
        asked = stage.askable[rows]
        there = Clusters(tasks[asked], codes[asked], by.count)
        found[name] = there.shares(stage.yes[rows][asked])
    solved = _compute_solved_shares(by)
    for row, label in enumerate(by.groups.labels):
        yield (
            *label,
            int(whole.tasks[row]),
            int(whole.attempts[row]),
            *((None, None, None) if by.by == "round" else ends(solved, row)),
            *ends(found["called"], row),
            *ends(found["core"], row),
            *ends(found["correct"], row),
            *ends(found["corners"], row),
            int(mixes[row]) if row in told else None,
            *ends(found["timed"], row),
        )


def _compute_solved_shares(by: Grouping) -> Intervals:
    """Each method's verdict on a task counts once, however often it tried."""
    frame, rows, groups = by.frame, by.rows, by.groups.codes
    judged = np.flatnonzero(frame.stages["correct"].askable[rows])
    named = np.stack([groups[judged], by.tasks[judged], frame.author.codes[rows][judged]])
    _, first = np.unique(named, axis=1, return_index=True)
    once = judged[first]
    return Clusters(by.tasks[once], groups[once], by.count).shares(frame.solved[rows][once])


def pass_at_k_rows(
    frame: AttemptFrame, by: Callable[[AttemptFrame], CodedColumn]
) -> list[tuple[Value, ...]]:
    """What a group is named by, k, counts and the chance with its ends.

    Each group holds attempts of one method on one GPU.
    """
    stage = frame.stages["correct"]
    judged = frame.pick(stage.askable)
    right = stage.yes[stage.askable]
    groups = by(judged)
    cells = cross_columns(judged.card, judged.author, judged.task)
    tries = np.bincount(cells.codes)
    hits = np.bincount(cells.codes, weights=right)
    rows: list[tuple[Value, ...]] = []
    for k in values_of_k(tries):
        known = (tries >= k)[cells.codes]
        there = Clusters(judged.task.codes[known], groups.codes[known], len(groups.labels))
        chance = there.shares(pass_at_k(tries, hits, k)[cells.codes][known])
        rows += [
            (*label, k, int(chance.tasks[row]), int(chance.n[row]), *ends(chance, row))
            for row, label in enumerate(groups.labels)
            if chance.tasks[row]
        ]
    named = len(groups.labels[0]) if groups.labels else 0
    return sorted(rows, key=lambda row: tuple(map(str, row[:named])))


def _pass_at_k(frame: AttemptFrame) -> Table:
    return Table(
        name="pass_at_k",
        title="pass@k",
        about=PASS_AT_K,
        columns=(
            *columns(("gpu", "GPU"), ("method", "method"), ("k", "k", "count")),
            *columns(("tasks", "tasks", "count"), ("attempts", "attempts", "count")),
            *interval("pass", "pass@k", "percent"),
        ),
        rows=tuple(pass_at_k_rows(frame, lambda one: cross_columns(one.card, one.author))),
        notes=frame.notes,
    )


def values_of_k(tries: Codes) -> list[int]:
    """The usual ones up to the most attempts at any task, and that number itself."""
    most = int(tries.max()) if tries.size else 0
    return sorted({k for k in TRIES if k < most} | {most}) if most > 1 else []


def _tabulate_pairs(frame: AttemptFrame) -> Iterator[Table]:
    for name in _COMPARED:
        stage = frame.stages[name]
        asked = frame.pick(stage.askable)
        yield Table(
            name=f"paired_{name}",
            title=f"Methods compared by task: {name}",
            about=(
                f"Share of {name} attempts of two methods over the tasks that both tried, and "
                "their difference, with an interval for pairs (Agresti and Min). p is "
                "McNemar's exact test, or the sign test over tasks with several attempts. "
                "Holm's correction is over the pairs of this table and GPU."
            ),
            columns=SHARES,
            rows=tuple(share_rows(asked, stage.yes[stage.askable])),
            notes=(*frame.notes, *note_unpaired(asked)),
        )
