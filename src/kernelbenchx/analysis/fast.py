"""fast_p: the share of all attempts that are correct and more than p times as fast."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from kernelbenchx.analysis.cells import ends, interval
from kernelbenchx.analysis.frame import Coded, Flags, Frame, crossed, shared
from kernelbenchx.analysis.intervals import Clusters
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.analysis.timed import BASELINES, speedups

CURVE = (0.0, *(round(float(10 ** (step / 20)), 4) for step in range(-20, 21)))
"""From a tenth to ten times as fast, twenty steps to a factor of ten."""
GLANCE = CURVE[1::5]
"""From a tenth to ten, four steps to a factor of ten: enough to see a curve fall."""
_COLUMNS = (
    *columns(
        ("gpu", "GPU"),
        ("baseline", "over"),
        ("composition", "composition"),
        ("method", "method"),
        ("p", "p", "number"),
        ("tasks", "tasks", "count"),
        ("attempts", "attempts", "count"),
    ),
    *interval("share", "fast_p", "percent"),
    *interval("core_share", "core fast_p", "percent"),
)
_ABOUT = (
    "Share of all attempts, wrong and broken ones included, that are correct and strictly more "
    "than p times as fast; fast_0 is the share that is correct and timed. Only those without a "
    "verdict, or without times that can be trusted, are left out. Kernels of the other "
    "composition stay in the denominator, so that rows of one p add up. Each task has the same "
    "weight; Wilson's interval with tasks for draws. `core fast_p` is the share that is core "
    "correct and not correct, and more than p times as fast on the timing cases that ask for core "
    "alone. No attempt is in both. It is empty where no such times were taken on the GPU."
)


def fast_tables(frame: Frame, askable: Flags, thresholds: Sequence[float]) -> tuple[Table, Table]:
    """At the thresholds that were asked for, and as a curve."""
    wanted = tuple(sorted(set(thresholds)))
    rows = list(fast_rows(frame, askable, sorted({*wanted, *CURVE}), by_method))
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


def by_method(frame: Frame) -> Coded:
    """The groups that fast_p is usually counted in."""
    return crossed(frame.card, frame.author)


def fast_rows(
    frame: Frame, askable: Flags, thresholds: Sequence[float], by: Callable[[Frame], Coded]
) -> Iterator[tuple[Value, ...]]:
    """GPU, baseline, composition, what else a group is named by, p, counts and both shares.

    The first label of a group is its GPU.
    """
    composition = frame.coded(lambda one: one.composition)
    timed = frame.flags(lambda one: one.correct and one.performance == "timed")
    for baseline in BASELINES:
        speedup, core_speedup = (speedups(frame, baseline, core=core) for core in (False, True))
        known, core_known = np.isfinite(speedup), np.isfinite(core_speedup)
        asked = askable & (known | ~timed)
        if not (known | core_known).any():
            continue
        there = frame.pick(asked)
        groups = by(there)
        clusters = Clusters(there.task.codes, groups.codes, len(groups.labels))
        core = _core_clusters(there, groups, core_known[asked])
        for code in sorted(set(composition.codes[known | core_known].tolist()), reverse=True):
            mine = composition.codes == code
            own = np.where(mine, speedup, np.nan)[asked]
            own_core = np.where(mine, core_speedup, np.nan)[asked][core.rows]
            made_of = str(composition.labels[code])
            found = [
                (clusters.shares(own > p), core.clusters.shares(own_core > p)) for p in thresholds
            ]
            for row, (card, *named) in enumerate(groups.labels):
                for p, (share, core_share) in zip(thresholds, found, strict=True):
                    counts = int(share.tasks[row]), int(share.n[row])
                    values = *ends(share, row), *ends(core_share, row)
                    yield card, baseline, made_of, *named, p, *counts, *values


class _Core(NamedTuple):
    rows: Flags
    """Attempts that can be asked about core times."""
    clusters: Clusters


def _core_clusters(there: Frame, groups: Coded, known: Flags) -> _Core:
    """Where the card has core times, all but those whose own cannot be trusted."""
    clocked = there.flags(lambda one: one.core_performance in ("timed", "unmeasured"))
    lost = clocked & ~known & ~there.flags(lambda one: one.correct)
    rows = shared(there.card, known) & ~lost
    codes = there.task.codes[rows], groups.codes[rows]
    return _Core(rows, Clusters(*codes, len(groups.labels)))
