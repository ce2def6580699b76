"""Changes of speed from round to round as tables: decomposed means, and what is more than noise."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from kernelbenchx.analysis.decomposition import Decomposition, decompose
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import shares
from kernelbenchx.analysis.lineages import Lineages, Speeds
from kernelbenchx.analysis.noise import FLOOR, Noise
from kernelbenchx.analysis.table import Table, Value, columns

_STEP = columns(
    ("gpu", "GPU"),
    ("composition", "composition"),
    ("method", "method"),
    ("before", "from", "count"),
    ("after", "to", "count"),
)
_WORDS = {
    "change": "change",
    "real": "real",
    "rewritten": "real: rewritten",
    "remeasured": "real: measured again",
    "members": "composition",
    "entering": "composition: entering",
    "leaving": "composition: leaving",
}
_UNMOVED = "real: not measured again"


def decompositions(lines: Sequence[Lineages], notes: tuple[str, ...]) -> Table:
    """The change of the mean speedup between rounds, in parts that add up to it."""
    return Table(
        name="decomposition",
        title="Why the mean speedup changed",
        about=(
            "change = real + composition. Real is the change of the lines with a time in both "
            "rounds: those with the same code were measured again, the others rewritten; those "
            "that stand at one measurement in both add 0. "
            "Composition is what lines with a time only after (entering) or only before (leaving) "
            "do to the mean. Of log speedups (scale `log`, also as a factor) and of speedups "
            "(`plain`); every line has the same weight; intervals by a jackknife over tasks."
        ),
        columns=(
            *_STEP,
            *columns(("scale", "scale"), ("part", "part"), ("lines", "lines", "count")),
            *interval("value", "value", "number"),
            *columns(("factor", "as a factor", "ratio")),
        ),
        rows=tuple(row for one in lines for row in _decompose_rounds(one)),
        notes=notes,
    )


def _decompose_rounds(lines: Lineages) -> Iterator[tuple[Value, ...]]:
    for speeds in lines.speeds:
        for before, after in lines.steps():
            named = _label_rounds(lines, speeds, before, after)
            values = lines.numbers(speeds.over, before), lines.numbers(speeds.over, after)
            flags = lines.same_code(before, after), lines.same_measurement(before, after)
            logs = decompose(np.log(values[0]), np.log(values[1]), lines.tasks, *flags)
            for row in _part_rows(logs):
                yield *named, "log", *row, _factor(row[2])
            for row in _part_rows(decompose(*values, lines.tasks, *flags)):
                yield *named, "plain", *row, None


def _part_rows(found: Decomposition) -> Iterator[tuple[str, int, float, Value, Value]]:
    yield "mean before", found.kept + found.left, found.before, None, None
    yield "mean after", found.kept + found.entered, found.after, None, None
    sizes = {
        "change": found.kept + found.entered + found.left,
        "real": found.kept,
        "rewritten": found.kept - found.same_code,
        "remeasured": found.same_code - found.unmoved,
        "members": found.entered + found.left,
        "entering": found.entered,
        "leaving": found.left,
    }
    for name, part in found.parts.items():
        yield _WORDS[name], sizes[name], part.value, part.low, part.high
        if name == "remeasured" and found.unmoved:
            yield _UNMOVED, found.unmoved, 0.0, None, None


def _factor(value: float) -> float:
    return math.exp(value) if math.isfinite(value) else value


def changes(lines: Sequence[Lineages], noise: Mapping[str, Noise], notes: tuple[str, ...]) -> Table:
    """How many rewritten kernels became faster or slower by more than noise explains."""
    return Table(
        name="changes",
        title="Changes beyond noise",
        about=(
            "Lines with a time in both rounds and other code after: share that became faster or "
            f"slower by more than {FLOOR:.0%} of the changes of identical code on that GPU (the "
            "floor), by task with Wilson's interval. Without identical code measured twice there "
            "is no floor and no share."
        ),
        columns=(
            *_STEP,
            *columns(("kept", "in both", "count"), ("same_code", "same code", "count")),
            *columns(("floor", "floor", "percent")),
            *interval("faster", "faster", "percent"),
            *interval("slower", "slower", "percent"),
        ),
        rows=tuple(row for one in lines for row in _compare_rounds(one, noise.get(one.card))),
        notes=notes,
    )


def _compare_rounds(lines: Lineages, noise: Noise | None) -> Iterator[tuple[Value, ...]]:
    for speeds in lines.speeds:
        for before, after in lines.steps():
            with np.errstate(divide="ignore"):
                apart = np.log(lines.numbers(speeds.over, after))
                apart -= np.log(lines.numbers(speeds.over, before))
            kept, same = np.isfinite(apart), lines.same_code(before, after)
            rewritten = kept & ~same
            cells: list[Value] = [None] * 7
            if noise is not None:
                own, tasks = apart[rewritten], lines.tasks[rewritten]
                faster, slower = (shares(sign * own > noise.floor, tasks) for sign in (1, -1))
                cells = [math.expm1(noise.floor), *ends(faster, 0), *ends(slower, 0)]
            counts = int(kept.sum()), int((kept & same).sum())
            yield *_label_rounds(lines, speeds, before, after), *counts, *cells


def noise_floor(noise: Mapping[str, Noise]) -> Table:
    """The noise floor: how much speedups of the same code differ between measurements."""
    return Table(
        name="noise",
        title="Noise floor: identical code measured again",
        about=(
            "Correct kernels of one source for one task with several trusted times over eager on "
            "one GPU, in one run or several. Spread is the standard deviation of one "
            "measurement, pooled, with an interval by a jackknife over tasks; a change is from "
            "one measurement to the next of the same code, up or down."
        ),
        columns=(
            *columns(
                ("gpu", "GPU"),
                ("kernels", "sources", "count"),
                ("tasks", "tasks", "count"),
                ("measurements", "times", "count"),
                ("changes", "changes", "count"),
                ("elsewhere", "between runs", "count"),
            ),
            *interval("spread", "spread", "percent"),
            *columns(
                ("median", "median change", "percent"),
                ("floor", f"{FLOOR:.0%} below", "percent"),
                ("most", "largest", "percent"),
            ),
        ),
        rows=tuple(_noise_row(card, found) for card, found in noise.items()),
    )


def _noise_row(card: str, found: Noise) -> tuple[Value, ...]:
    spread = found.spread
    sizes = (np.median(found.changes), found.floor, found.changes.max())
    return (
        card,
        found.kernels,
        found.tasks,
        found.measurements,
        found.changes.size,
        found.elsewhere,
        *(math.expm1(one) for one in (spread.value, spread.low, spread.high)),
        *(math.expm1(float(one)) for one in sizes),
    )


def _label_rounds(lines: Lineages, speeds: Speeds, before: int, after: int) -> tuple[Value, ...]:
    rounds = lines.rounds[before], lines.rounds[after]
    return lines.card, speeds.composition, lines.author, *rounds
