"""From one round to the next: rescued, persistent, regressed, unsolved."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.frame import Flags
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters, cut, shares
from kernelbenchx.analysis.lineages import Lineages
from kernelbenchx.analysis.table import Table, Value, columns

_ABOUT = (
    "Of lines that have begun before: `rescued` is not correct before and correct after, "
    "`persistent` correct in both, `regressed` correct before and not after, `unsolved` correct "
    "in neither. "
)
_STEP = columns(("before", "from", "count"), ("after", "to", "count"), ("group", "group"))


def groups_of(lines: Lineages, before: int, after: int) -> dict[str, Flags]:
    """Which lines are in which group; every line that has begun is in exactly one."""
    begun = lines.standing(before)
    first, second = lines.flags(lines.correct, before), lines.flags(lines.correct, after)
    return {
        "rescued": begun & ~first & second,
        "persistent": first & second,
        "regressed": first & ~second,
        "unsolved": begun & ~first & ~second,
    }


def transitions(lines: Sequence[Lineages], notes: tuple[str, ...]) -> Table:
    """How many, and which share of those that could."""
    return Table(
        name="transitions",
        title="Rescued, persistent, regressed",
        about=(
            _ABOUT + "The share is of those that were not correct before (rescued, unsolved) or "
            "were (persistent, regressed), by task, with Wilson's interval."
        ),
        columns=(
            *columns(("gpu", "GPU"), ("method", "method")),
            *_STEP,
            *columns(("lines", "lines", "count"), ("of", "of", "count")),
            *interval("share", "share", "percent"),
        ),
        rows=tuple(row for one in lines for row in _counts(one)),
        notes=notes,
    )


def _counts(lines: Lineages) -> Iterator[tuple[Value, ...]]:
    for before, after in lines.steps():
        groups = groups_of(lines, before, after)
        was_right = groups["persistent"] | groups["regressed"]
        was_wrong = groups["rescued"] | groups["unsolved"]
        for name, members in groups.items():
            could = was_right if name in ("persistent", "regressed") else was_wrong
            yield (
                lines.card,
                lines.author,
                lines.rounds[before],
                lines.rounds[after],
                name,
                int(members.sum()),
                int(could.sum()),
                *ends(shares(members[could], lines.tasks[could]), 0),
            )


def transition_speeds(lines: Sequence[Lineages], notes: tuple[str, ...]) -> Table:
    """How fast the kernels of each group are."""
    return Table(
        name="transition_speed",
        title="Speed of the rescued and the persistent",
        about=(
            _ABOUT + "Speedup over eager after the step, of regressed ones before it, of those "
            "with times that can be trusted; means over tasks, of the Score arithmetic ones, with "
            "Student's interval, the median over kernels."
        ),
        columns=(
            *columns(("gpu", "GPU"), ("composition", "composition"), ("method", "method")),
            *_STEP,
            *columns(("lines", "lines", "count"), ("kernels", "timed", "count")),
            *interval("speedup", "speedup", "ratio"),
            *interval("mean", "arithmetic mean", "ratio"),
            *columns(("median", "median", "ratio")),
            *interval("score", "Score", "percent"),
        ),
        rows=tuple(row for one in lines for row in _speeds(one)),
        notes=notes,
    )


def _speeds(lines: Lineages) -> Iterator[tuple[Value, ...]]:
    for speeds in lines.speeds:
        for before, after in lines.steps():
            for name, members in groups_of(lines, before, after).items():
                if name == "unsolved":
                    continue
                when = before if name == "regressed" else after
                over = np.where(members, lines.numbers(speeds.over, when), np.nan)
                score = np.where(members, lines.numbers(speeds.score, when), np.nan)
                timed, scored = np.isfinite(over), np.isfinite(score)
                clusters = Clusters(lines.tasks[timed])
                yield (
                    lines.card,
                    speeds.composition,
                    lines.author,
                    lines.rounds[before],
                    lines.rounds[after],
                    name,
                    int(members.sum()),
                    int(timed.sum()),
                    *ends(clusters.geometric_means(over[timed]), 0),
                    *ends(cut(clusters.means(over[timed]), math.inf), 0),
                    float(np.median(over[timed])) if timed.any() else None,
                    *ends(cut(Clusters(lines.tasks[scored]).means(score[scored])), 0),
                )
