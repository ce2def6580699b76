"""From the cases of a task to its speedup: paired, geometric, and with the interval it deserves."""

import math
from collections.abc import Sequence
from statistics import fmean

from kernelbenchx.core.performance import Clock, Comparison, Speedup, TimedCase
from kernelbenchx.measure.statistics import PLANS, pace_of
from kernelbenchx.measure.student import quantile

_PAIRS = 2
"""Pairs of processes that measure a case, at least."""


def task_speedups(cases: Sequence[TimedCase]) -> tuple[Speedup, ...]:
    """Over each baseline that every case was paired with, in the order of the first case."""
    names = dict.fromkeys(one.baseline for one in cases[0].comparisons) if cases else {}
    each = (task_speedup(cases, name) for name in names)
    return tuple(one for one in each if one is not None)


def task_speedup(cases: Sequence[TimedCase], baseline: str) -> Speedup | None:
    """Geometric mean over all cases by device time; None where a case lacks this baseline.

    A mean over the cases that happen to be there would compare other work with less work.
    """
    paired = [case.comparison(baseline, Clock.DEVICE) for case in cases]
    found = [one for one in paired if one is not None]
    if not found or len(found) < len(paired):
        return None
    centre = fmean(math.log(one.speedup) for one in found)
    width = _half_width(found, [case.waits for case in cases])
    low, high = math.exp(centre - width), math.exp(centre + width)
    return Speedup(
        baseline=baseline,
        speedup=math.exp(centre),
        low=low,
        high=high,
        pace=pace_of(low, high),
    )


def _half_width(found: Sequence[Comparison], waits: Sequence[bool]) -> float:
    """Cases are measured one after another: squared half widths add like variances.

    But one process measures all of them, and what is peculiar to it does not average out over
    cases. So the interval is never narrower than that share of a single case. And a host that is
    slow in a run is slow for all cases in which the card waits for it: those add as they are.
    """
    widths = [math.log(one.high / one.low) / 2.0 for one in found]
    together = math.fsum(width for width, host in zip(widths, waits, strict=True) if host)
    alone = [width for width, host in zip(widths, waits, strict=True) if not host]
    squares = math.fsum(width**2 for width in [*alone, together])
    plan = PLANS[Clock.DEVICE]
    process = quantile(plan.spent, math.inf) * plan.between / math.sqrt(_PAIRS)
    return max(math.sqrt(squares) / len(found), process)
