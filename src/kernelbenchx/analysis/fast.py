"""fast_p: the share of all attempts that are correct and more than p times as fast."""

from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.cells import ends, interval
from kernelbenchx.analysis.frame import Flags, Frame, crossed
from kernelbenchx.analysis.intervals import Clusters
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.analysis.timed import BASELINES, speedups

CURVE = (0.0, *(round(float(10 ** (step / 20)), 4) for step in range(-20, 21)))
"""From a tenth to ten times as fast, twenty steps to a factor of ten."""
GLANCE = CURVE[1::5]
"""From a tenth to ten, four steps to a factor of ten: enough to see a curve fall."""
_COLUMNS = (
    *columns(
        ("card", "card"),
        ("baseline", "over"),
        ("composition", "made of"),
        ("method", "method"),
        ("p", "p", "number"),
        ("tasks", "tasks", "count"),
        ("attempts", "attempts", "count"),
    ),
    *interval("share", "fast_p", "percent"),
)
_ABOUT = (
    "Share of all attempts, wrong and broken ones included, that are correct and strictly more "
    "than p times as fast; fast_0 is the share that is correct and timed. Only those without a "
    "verdict, or without times that can be trusted, are left out. Kernels of the other "
    "composition stay in the denominator, so that rows of one p add up. Each task has the same "
    "weight; Wilson's interval with tasks for draws."
)


def fast_tables(frame: Frame, askable: Flags, thresholds: Sequence[float]) -> tuple[Table, Table]:
    """At the thresholds that were asked for, and as a curve."""
    wanted = tuple(sorted(set(thresholds)))
    rows = list(_rows(frame, askable, sorted({*wanted, *CURVE})))
    curve = tuple(row for row in rows if row[4] in CURVE)
    return (
        Table(
            name="fast_p",
            title="fast_p",
            about=_ABOUT,
            columns=_COLUMNS,
            rows=tuple(row for row in rows if row[4] in wanted),
            notes=frame.notes,
        ),
        Table(
            name="fast_p_curve",
            title="fast_p as a curve",
            about=_ABOUT,
            columns=_COLUMNS,
            rows=curve,
            notes=frame.notes,
            glance=tuple(place for place, row in enumerate(curve) if row[4] in GLANCE),
        ),
    )


def _rows(frame: Frame, askable: Flags, thresholds: Sequence[float]) -> Iterator[tuple[Value, ...]]:
    composition = frame.coded(lambda one: one.composition)
    timed = frame.flags(lambda one: one.correct and one.performance == "timed")
    for baseline in BASELINES:
        speedup = speedups(frame, baseline)
        known = np.isfinite(speedup)
        asked = askable & (known | ~timed)
        if not known.any():
            continue
        there = frame.pick(asked)
        groups = crossed(there.card, there.author)
        clusters = Clusters(there.task.codes, groups.codes, len(groups.labels))
        for code in sorted(set(composition.codes[known].tolist()), reverse=True):
            own = np.where(composition.codes == code, speedup, np.nan)[asked]
            made_of = str(composition.labels[code])
            found = [clusters.shares(own > p) for p in thresholds]
            for row, (card, author) in enumerate(groups.labels):
                for p, share in zip(thresholds, found, strict=True):
                    counts = int(share.tasks[row]), int(share.n[row])
                    yield card, baseline, made_of, author, p, *counts, *ends(share, row)
