"""How many attempts are correct by each of the three standards and by the paper's own rule."""

from collections.abc import Iterator, Sequence

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import AttemptAnswers, AttemptFrame, frame_of
from kernelbenchx.analysis.groupings import Grouping, groupings
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters
from kernelbenchx.analysis.paper_judgements import BY_RULE
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.core.standards import DEFINITIONS, Standard

_ABOUT = (
    "Shares of attempts that are correct by each standard, whatever `--correct` is. "
    + " ".join(f"`{one}`: {DEFINITIONS[one]}." for one in Standard)
    + " Each contains the one before. `paper` is the rule of the paper that published the task, "
    "where the run applied it (`kbx eval --paper-rules`): every call of its test ended (`called`), "
    "and every result agrees (`correct`). Each task has the same weight. Intervals are Wilson's, "
    "over tasks."
)
_GROUPINGS = ("method", "category")


def tables(attempts: Sequence[Attempt], frame: AttemptFrame | None = None) -> list[Table]:
    """By method and by category."""
    every = frame or frame_of(attempts)
    return [_table(one) for one in groupings(every) if one.by in _GROUPINGS]


def _table(by: Grouping) -> Table:
    return Table(
        name=f"standards_by_{by.by}",
        title=f"Correct by three standards, by {by.by}",
        about=_ABOUT + by.about,
        columns=(
            *by.columns,
            *columns(("tasks", "tasks", "count"), ("attempts", "attempts", "count")),
            *(cell for one in Standard for cell in interval(one.value, one.value, "percent")),
            *interval("paper_called", "paper: called", "percent"),
            *interval("paper_correct", "paper: correct", "percent"),
        ),
        rows=tuple(_rows(by)),
        notes=by.notes,
    )


def _rows(by: Grouping) -> Iterator[tuple[Value, ...]]:
    whole = Clusters(by.tasks, by.groups.codes, by.count)
    found = []
    for answers in (*(answers_by(by.frame, one) for one in Standard), *_by_the_rule(by.frame)):
        asked = answers.askable[by.rows]
        there = Clusters(by.tasks[asked], by.groups.codes[asked], by.count)
        found.append(there.shares(answers.yes[by.rows][asked]))
    for row, label in enumerate(by.groups.labels):
        counts = int(whole.tasks[row]), int(whole.attempts[row])
        yield *label, *counts, *(cell for one in found for cell in ends(one, row))


def _by_the_rule(frame: AttemptFrame) -> tuple[AttemptAnswers, AttemptAnswers]:
    """What is called and what is correct by the paper's rule."""
    known = BY_RULE.flag_judged(frame)
    return (
        AttemptAnswers(known, BY_RULE.flag_compiled(frame)),
        AttemptAnswers(known, BY_RULE.right(frame)),
    )


def answers_by(frame: AttemptFrame, standard: Standard) -> AttemptAnswers:
    """Which attempts were judged by the standard, and which meet it."""
    askable = frame.flags(lambda one: one.outcome != "reached" and one.meets(standard) is not None)
    return AttemptAnswers(askable, frame.flags(lambda one: bool(one.meets(standard))))
