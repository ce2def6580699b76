"""fast_p: the share of all attempts that are correct and more than p times as fast."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernelbenchx.analysis.frame import (
    AttemptFrame,
    CodedColumn,
    Flags,
    any_in_group,
    cross_columns,
)
from kernelbenchx.analysis.interval_cells import interval
from kernelbenchx.analysis.intervals import Clusters, Floats, Intervals
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.analysis.timed_kernels import BASELINES, EAGER, core_over, own_over, speedups

CURVE = (0.0, *(round(float(10 ** (step / 20)), 4) for step in range(-20, 21)))
"""From a tenth to ten times as fast, twenty steps to a factor of ten."""
GLANCE = CURVE[1::5]
"""From a tenth to ten, four steps to a factor of ten: enough to see a curve fall."""
SHARES = (
    *interval("share", "fast_p", "percent"),
    *columns(("at_most", "at most", "percent")),
    *interval("core_share", "core fast_p", "percent"),
    *columns(("core_at_most", "at most", "percent")),
)
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
    *SHARES,
)
BOUNDS = (
    "fast_0 is the share that is correct. A correct kernel without a trusted time "
    "stays in the denominator: `fast_p` counts it as not fast, `at most` as fast. The "
    "interval reaches from the low end of the one to the high end of the other. "
)
_ABOUT = (
    "Share of all attempts, wrong and broken ones included, that are correct and strictly more "
    f"than p times as fast. {BOUNDS}Kernels of the other "
    "composition stay in the denominator, so that rows of one p add up. Each task has the same "
    "weight; Wilson's interval with tasks for draws. `core fast_p` is the share that is core "
    "correct and not correct, and more than p times as fast on the timing cases that ask for core "
    "alone. No attempt is in both. It is empty where no such times were taken on the GPU."
)


def fast_tables(frame: AttemptFrame, thresholds: Sequence[float]) -> tuple[Table, Table]:
    """At the thresholds that were asked for, and as a curve."""
    wanted = tuple(sorted(set(thresholds)))
    rows = list(fast_rows(frame, sorted({*wanted, *CURVE}), by_method))
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


def by_method(frame: AttemptFrame) -> CodedColumn:
    """The groups that fast_p is usually counted in."""
    return cross_columns(frame.card, frame.author)


@dataclass(frozen=True)
class FastAttempts:
    """Attempts that can be asked how fast they are, over one baseline."""

    right: Flags
    """Counted at p = 0."""
    speedup: Floats
    """NaN where it is not known."""

    def at_least(self, p: float) -> Flags:
        """Those that are known to be more than p times as fast."""
        return self.right if p == 0 else self.right & (self.speedup > p)

    def at_most(self, p: float) -> Flags:
        """The same, with those of unknown time."""
        return self.right & (np.isnan(self.speedup) | (self.speedup > p))

    def only(self, rows: Flags) -> "FastAttempts":
        """As if the others were not right."""
        return FastAttempts(self.right & rows, self.speedup)

    def pick(self, rows: Flags) -> "FastAttempts":
        """Fewer attempts."""
        return FastAttempts(self.right[rows], self.speedup[rows])


def fast_rows(
    frame: AttemptFrame, thresholds: Sequence[float], by: Callable[[AttemptFrame], CodedColumn]
) -> Iterator[tuple[Value, ...]]:
    """GPU, baseline, composition, what else a group is named by, p, counts and both shares.

    The first label of a group is its GPU.
    """
    composition = frame.encode_by(lambda one: one.composition)
    for baseline in BASELINES:
        asked = asked_for(frame, baseline)
        there = frame.pick(asked)
        whole, core = fast_of(there, baseline), _core_of(there, baseline)
        if not len(there):
            continue
        groups = by(there)
        clusters = Clusters(there.task.codes, groups.codes, len(groups.labels))
        timed = any_in_group(there.card, np.isfinite(core.speedup))
        core_codes = there.task.codes[timed], groups.codes[timed]
        core_clusters = Clusters(*core_codes, len(groups.labels))
        codes = composition.codes[asked]
        for code in sorted(set(codes[whole.right | core.right].tolist()), reverse=True):
            mine, made_of = codes == code, str(composition.labels[code])
            own, own_core = whole.only(mine), core.only(mine).pick(timed)
            found = [
                (_bound_shares(clusters, own, p), _bound_shares(core_clusters, own_core, p))
                for p in thresholds
            ]
            for row, (card, *named) in enumerate(groups.labels):
                for p, (share, core_share) in zip(thresholds, found, strict=True):
                    counts = int(clusters.tasks[row]), int(clusters.attempts[row])
                    values = *_cells(share, row), *_cells(core_share, row)
                    yield card, baseline, made_of, *named, p, *counts, *values


def fast_of(frame: AttemptFrame, baseline: str = EAGER) -> FastAttempts:
    """Whether attempts are correct, and how fast."""
    return FastAttempts(frame.flags(lambda one: one.correct), speedups(frame, baseline, own_over))


def _core_of(frame: AttemptFrame, baseline: str) -> FastAttempts:
    """The same on core cases, of attempts that are core correct only; failed there is not right."""
    right = frame.flags(
        lambda one: not one.correct and one.core_performance in ("timed", "unmeasured")
    )
    return FastAttempts(right, speedups(frame, baseline, core_over))


def asked_for(frame: AttemptFrame, baseline: str = EAGER) -> Flags:
    """Attempts with a verdict, of runs that took times over that baseline.

    Every run that times kernels compares them with eager. A run without a correct kernel had
    nothing to time over another baseline: it counts if another on its GPU does.
    """
    judged = frame.clocked & ~frame.flags(lambda one: one.outcome == "reached")
    if baseline == EAGER:
        return judged
    known = np.isfinite(speedups(frame, baseline, own_over))
    known |= np.isfinite(speedups(frame, baseline, core_over))
    run = frame.encode_by(lambda one: one.run)
    idle = ~any_in_group(run, frame.flags(lambda one: one.correct)) & any_in_group(
        frame.card, known
    )
    return np.asarray(judged & (any_in_group(run, known) | idle))


def _bound_shares(clusters: Clusters, fast: FastAttempts, p: float) -> tuple[Intervals, Intervals]:
    return clusters.shares(fast.at_least(p)), clusters.shares(fast.at_most(p))


def _cells(bounds: tuple[Intervals, Intervals], row: int) -> tuple[Value, ...]:
    least, most = bounds
    if not least.n[row]:
        return None, None, None, None
    ends = least.at(row), most.at(row)
    return ends[0].value, ends[0].low, ends[1].high, ends[1].value
