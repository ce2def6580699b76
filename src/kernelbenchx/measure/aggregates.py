"""From the cases of a task to its speedup: a geometric mean over pairs, with its interval."""

import math
from collections.abc import Sequence
from statistics import fmean

from kernelbenchx.core.performance import Clock, Comparison, Speedup, Tier, TimedCase
from kernelbenchx.measure.statistics import HOST_TIMED_PLAN, PLANS, classify_speedup
from kernelbenchx.measure.student_t import quantile

_PAIRS = 2
"""Fewest pairs of processes that measure a case."""


def task_speedups(cases: Sequence[TimedCase]) -> tuple[Speedup, ...]:
    """Speedups over each baseline that every case has, in the order of the first case."""
    names = dict.fromkeys(one.baseline for one in cases[0].comparisons) if cases else {}
    each = (task_speedup(cases, name) for name in names)
    return tuple(one for one in each if one is not None)


def task_speedup(cases: Sequence[TimedCase], baseline: str) -> Speedup | None:
    """Geometric mean over all cases by device time; None if a case lacks this baseline.

    A mean over the cases that happen to have one would compare different work.
    """
    paired = [case.find_comparison(baseline, Clock.DEVICE) for case in cases]
    found = [one for one in paired if one is not None]
    if not found or len(found) < len(paired):
        return None
    centre = fmean(math.log(one.speedup) for one in found)
    width = _half_width(found, [case.waits_for_host for case in cases])
    low, high = math.exp(centre - width), math.exp(centre + width)
    return Speedup(
        baseline=baseline,
        speedup=math.exp(centre),
        low=low,
        high=high,
        speed_class=classify_speedup(low, high),
    )


def _half_width(found: Sequence[Comparison], waits: Sequence[bool]) -> float:
    """Cases are measured one after another: squared half widths add like variances.

    But one process measures all of them, and its bias does not average out over cases: that share
    of a case's plan adds linearly. A host that is slow in a run is slow for all cases in which the
    GPU waits for it: their half widths add linearly, in full.
    """
    widths = [math.log(one.high / one.low) / 2.0 for one in found]
    shared = [
        width if host else _process_half_width(one.tier)
        for one, width, host in zip(found, widths, waits, strict=True)
    ]
    own = (max(0.0, width**2 - common**2) for width, common in zip(widths, shared, strict=True))
    return math.sqrt(math.fsum(shared) ** 2 + math.fsum(own)) / len(found)


def _process_half_width(tier: Tier) -> float:
    """The part of a case's half width that more blocks do not reduce."""
    plan = HOST_TIMED_PLAN if tier is Tier.HOST_TIMED else PLANS[Clock.DEVICE]
    return quantile(plan.spent, math.inf) * plan.between / math.sqrt(_PAIRS)
