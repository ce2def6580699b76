"""What rounds, samples and turns bring: the kept kernel, rescued kernels, why means change."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.fast_at_k import fast_at_k, within_turns
from kernelbenchx.analysis.frame import AttemptFrame, frame_of
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters, cut
from kernelbenchx.analysis.lineages import Lineages, build_lineages
from kernelbenchx.analysis.noise import noise_of
from kernelbenchx.analysis.round_tables import (
    KEPT,
    THRESHOLDS,
    candidates_table,
    fast_table,
    kept_table,
    of_several_rounds,
)
from kernelbenchx.analysis.speed_changes import changes, decompositions, noise_floor
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.analysis.transitions import transition_speeds, transitions

_ONE_ROUND = "No method of these runs tried again in a later round."


def tables(
    attempts: Sequence[Attempt],
    frame: AttemptFrame | None = None,
    thresholds: Sequence[float] = THRESHOLDS,
) -> list[Table]:
    """The kept kernel by round, candidates, transitions, changes of means, samples and turns."""
    frame = frame or frame_of(attempts)
    again = of_several_rounds(frame)
    lines, noise = build_lineages(frame), noise_of(attempts)
    notes = frame.notes if len(again) else (*frame.notes, _ONE_ROUND)
    return [
        kept_table(again, notes),
        candidates_table(again, frame.notes),
        fast_table(again, thresholds, frame.notes),
        _speed(lines, frame.notes),
        transitions(lines, frame.notes),
        transition_speeds(lines, frame.notes),
        within_turns(again, thresholds, frame.notes),
        fast_at_k(frame, thresholds, frame.notes),
        decompositions(lines, frame.notes),
        changes(lines, noise, frame.notes),
        noise_floor(noise),
    ]


def _speed(lines: Sequence[Lineages], notes: tuple[str, ...]) -> Table:
    return Table(
        name="round_speed",
        title="Speedup of the kept kernel by round",
        about=(
            KEPT + "Of correct kernels with times that can be trusted, over eager: geometric "
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


def _speed_rows(lines: Lineages) -> Iterator[tuple[Value, ...]]:
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
