"""What rounds bring: how far lines of attempts come, who is rescued, and why means change."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.cells import ends, interval
from kernelbenchx.analysis.changes import changes, decompositions, noise_floor
from kernelbenchx.analysis.frame import Frame, frame_of
from kernelbenchx.analysis.intervals import Clusters, cut
from kernelbenchx.analysis.lines import Lines, lines_of
from kernelbenchx.analysis.noise import noise_of
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.analysis.transitions import transition_speeds, transitions

_CARRIED = (
    "A line of attempts at a task stands at its last attempt up to that round; void ones are "
    "passed over, and methods with a single round are not here. "
)
_ONE_ROUND = "No method tried again in a later round."


def tables(attempts: Sequence[Attempt], frame: Frame | None = None) -> list[Table]:
    """Rates and speed by round, transitions, decomposed changes of means, the noise floor."""
    frame = frame or frame_of(attempts)
    lines, noise = lines_of(frame), noise_of(attempts)
    return [
        _rates(lines, frame.notes if lines else (*frame.notes, _ONE_ROUND)),
        _speed(lines, frame.notes),
        transitions(lines, frame.notes),
        transition_speeds(lines, frame.notes),
        decompositions(lines, frame.notes),
        changes(lines, noise, frame.notes),
        noise_floor(noise),
    ]


def _rates(lines: Sequence[Lines], notes: tuple[str, ...]) -> Table:
    return Table(
        name="rounds",
        title="Rates by round",
        about=(
            _CARRIED + "Shares of lines that can be called and that are correct by then; each "
            "task has the same weight, Wilson's interval with tasks for draws."
        ),
        columns=(
            *columns(
                ("gpu", "GPU"),
                ("method", "method"),
                ("round", "round", "count"),
                ("tasks", "tasks", "count"),
                ("lines", "lines", "count"),
                ("carried", "not tried again", "count"),
            ),
            *interval("called", "called", "percent"),
            *interval("correct", "correct", "percent"),
            *columns(("mixed", "of them mixed", "count")),
        ),
        rows=tuple(row for one in lines for row in _rate_rows(one)),
        notes=notes,
    )


def _rate_rows(lines: Lines) -> Iterator[tuple[Value, ...]]:
    called = lines.frame.flags(lambda one: one.called)
    mixed = lines.frame.mixed
    for number, name in enumerate(lines.rounds):
        begun = lines.standing(number)
        clusters = Clusters(lines.tasks[begun])
        yield (
            lines.card,
            lines.author,
            name,
            int(clusters.tasks[0]),
            int(clusters.attempts[0]),
            int((begun & ~lines.fresh[:, number]).sum()),
            *ends(clusters.shares(lines.flags(called, number)[begun]), 0),
            *ends(clusters.shares(lines.flags(lines.correct, number)[begun]), 0),
            int(lines.flags(mixed, number).sum()),
        )


def _speed(lines: Sequence[Lines], notes: tuple[str, ...]) -> Table:
    return Table(
        name="round_speed",
        title="Speedup by round",
        about=(
            _CARRIED + "Of correct kernels with times that can be trusted, over eager: geometric "
            "mean, arithmetic mean (as others report it) and the arithmetic mean of the Score, "
            "each over tasks with Student's interval. Different rounds have different kernels in "
            "them: the decomposition says what that does to a mean."
        ),
        columns=(
            *columns(
                ("gpu", "GPU"),
                ("composition", "composition"),
                ("method", "method"),
                ("round", "round", "count"),
                ("tasks", "tasks", "count"),
                ("kernels", "kernels", "count"),
            ),
            *interval("speedup", "speedup", "ratio"),
            *interval("mean", "arithmetic mean", "ratio"),
            *interval("score", "Score", "percent"),
        ),
        rows=tuple(row for one in lines for row in _speed_rows(one)),
        notes=notes,
    )


def _speed_rows(lines: Lines) -> Iterator[tuple[Value, ...]]:
    for speeds in lines.speeds:
        for number, name in enumerate(lines.rounds):
            over, score = lines.numbers(speeds.over, number), lines.numbers(speeds.score, number)
            timed, scored = np.isfinite(over), np.isfinite(score)
            clusters = Clusters(lines.tasks[timed])
            yield (
                lines.card,
                speeds.composition,
                lines.author,
                name,
                int(clusters.tasks[0]),
                int(clusters.attempts[0]),
                *ends(clusters.geometric_means(over[timed]), 0),
                *ends(cut(clusters.means(over[timed]), math.inf), 0),
                *ends(cut(Clusters(lines.tasks[scored]).means(score[scored])), 0),
            )
