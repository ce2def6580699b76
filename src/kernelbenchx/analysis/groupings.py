"""Attempts by method, category, difficulty, dtype and round: what several analyses count by."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelbenchx.analysis.frame import AttemptFrame, CodedColumn, cross_columns, encode_labels
from kernelbenchx.analysis.intervals import Codes
from kernelbenchx.analysis.published_attempts import RUN as PUBLISHED
from kernelbenchx.analysis.run_factors import factors_of
from kernelbenchx.analysis.table import Column, columns

ALL = "all methods"
_LAST = " Of several rounds, the kernel that is kept at the end counts."
_ROUND = " Only attempts made in that round; `iterations` follows tasks through rounds."
_ONE_ROUND = "There is one round only: the table by method is about it."
_FACTORS = (
    " A factor is what kernels were written with, over all methods together. Levels may differ in "
    "methods and tasks too."
)
_ONE_LEVEL = "These runs have one model and one prompt for each method."
_OVERLAP = "A task with several dtypes stands in the row of each: its verdict is about all of them."
_SEEDS = (
    "These runs have different seeds, so most of their calls differ. `corners` in the rates is "
    "the share of attempts that pass the calls which every run makes."
)


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """Rows of a frame and the group of each; a row may stand in several groups."""

    by: str
    """`method`, `category`, `difficulty`, `dtype` or `round`."""
    frame: AttemptFrame
    rows: Codes
    groups: CodedColumn
    columns: tuple[Column, ...]
    """Of the labels of a group."""
    about: str
    """Which attempts these are, to be added to the definition of a table."""
    notes: tuple[str, ...]

    @property
    def tasks(self) -> Codes:
        """The task of each row."""
        return self.frame.task.codes[self.rows]

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(self.groups.labels)


def groupings(every: AttemptFrame) -> Iterator[Grouping]:
    """By method first; GPUs are never mixed."""
    last = every.last
    whole = np.arange(len(last))
    yield _grouping(last, "method", whole, cross_columns(last.card, last.author), ())
    yield _by_factor(last, "category", whole, last.encode_by(lambda one: one.category))
    yield _by_difficulty(last)
    yield _by_dtype(last)
    yield _by_round(every)


def by_run_factor(every: AttemptFrame) -> Grouping:
    """By model, reasoning and choices of the prompt, each with all methods together; without a row
    where the runs have one of each."""
    last = every.last
    named = [
        (row, (name, found))
        for name, level in factors_of(list(last.attempts)).items()
        for row, one in enumerate(last.attempts)
        if (found := level(one)) and one.run != PUBLISHED
    ]
    rows = np.asarray([row for row, _ in named], np.int64)
    levels = [encode_labels(pair[at] for _, pair in named) for at in (0, 1)]
    return Grouping(
        by="factor",
        frame=last,
        rows=rows,
        groups=cross_columns(last.card.pick(rows), *levels),
        columns=columns(("gpu", "GPU"), ("factor", "factor"), ("level", "level")),
        about=_LAST + _FACTORS,
        notes=last.notes if named else (*last.notes, _ONE_LEVEL),
    )


def with_all_methods(
    frame: AttemptFrame, rows: Codes, factor: CodedColumn
) -> tuple[Codes, CodedColumn]:
    """Rows and their groups, by GPU, method and factor; all methods together come first."""
    author, card = frame.author.pick(rows), frame.card.pick(rows)
    if len(set(author.codes.tolist())) < 2:
        return rows, cross_columns(card, author, factor)
    twice = np.concatenate([np.zeros_like(author.codes), author.codes + 1])
    groups = cross_columns(
        CodedColumn(np.tile(card.codes, 2), card.labels),
        CodedColumn(twice, (ALL, *author.labels)),
        CodedColumn(np.tile(factor.codes, 2), factor.labels),
    )
    return np.tile(rows, 2), groups


def _grouping(
    frame: AttemptFrame,
    by: str,
    rows: Codes,
    groups: CodedColumn,
    notes: tuple[str, ...],
    form: str = "text",
) -> Grouping:
    factor = () if by == "method" else columns((by, by, form))
    return Grouping(
        by=by,
        frame=frame,
        rows=rows,
        groups=groups,
        columns=(*columns(("gpu", "GPU"), ("method", "method")), *factor),
        about=_ROUND if by == "round" else _LAST,
        notes=(*frame.notes, *notes, *((_SEEDS,) if frame.differs_in_calls else ())),
    )


def _by_factor(
    frame: AttemptFrame,
    by: str,
    rows: Codes,
    factor: CodedColumn,
    notes: tuple[str, ...] = (),
    form: str = "text",
) -> Grouping:
    """With a note of tasks for which the factor is not known."""
    lost = set(frame.task.codes.tolist()) - set(frame.task.codes[rows].tolist())
    if lost:
        notes = (*notes, f"Not in it, {by} not said: {len(lost)} tasks.")
    every, groups = with_all_methods(frame, rows, factor)
    return _grouping(frame, by, every, groups, notes, form)


def _by_difficulty(frame: AttemptFrame) -> Grouping:
    rows = np.flatnonzero(frame.flags(lambda one: one.difficulty > 0))
    factor = frame.pick(rows).encode_by(lambda one: one.difficulty)
    return _by_factor(frame, "difficulty", rows, factor, form="count")


def _by_dtype(frame: AttemptFrame) -> Grouping:
    each = [(row, dtype) for row, one in enumerate(frame.attempts) for dtype in one.dtypes]
    rows = np.asarray([row for row, _ in each], np.int64)
    notes = (_OVERLAP,) if len(each) > len(set(rows.tolist())) else ()
    return _by_factor(frame, "dtype", rows, encode_labels(dtype for _, dtype in each), notes)


def _by_round(frame: AttemptFrame) -> Grouping:
    """Without a row where there is one round only, and without what was only handed in again."""
    frame = frame.pick(frame.flags(lambda one: not one.handed_in))
    rounds = frame.encode_by(lambda one: one.round)
    single = len(rounds.labels) == 1
    chosen = frame.pick(np.arange(0)) if single else frame
    groups = cross_columns(chosen.card, chosen.author, chosen.encode_by(lambda one: one.round))
    notes = (_ONE_ROUND,) if single else ()
    return _grouping(chosen, "round", np.arange(len(chosen)), groups, notes, "count")
