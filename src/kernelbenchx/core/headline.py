"""A performance in one row: speedup over eager by device time, and how close to the limit."""

import math
from dataclasses import dataclass

from kernelbenchx.core.performance import Failed, Performance, SpeedClass, Tier, Timed


@dataclass(frozen=True)
class Headline:
    """One row of a table; empty if nothing was measured."""

    kind: str = ""
    """`timed`, `failed`, `unmeasured`, or empty if no times were requested."""
    tier: Tier | None = None
    speedup: float | None = None
    low: float | None = None
    high: float | None = None
    speed_class: SpeedClass | None = None
    score: float | None = None


def headline(performance: Performance | None, baseline: str = "eager") -> Headline:
    """The row of one performance over one baseline."""
    if performance is None:
        return Headline()
    if not isinstance(performance, Timed):
        return Headline("failed" if isinstance(performance, Failed) else "unmeasured")
    score, over = score_of(performance), performance.find_speedup(baseline)
    if over is None:
        return Headline("timed", performance.tier, score=score)
    return Headline(
        "timed", performance.tier, over.speedup, over.low, over.high, over.speed_class, score=score
    )


def score_of(timed: Timed) -> float | None:
    """Geometric mean over the cases that fill the GPU; over all if none does."""
    filling = [case for case in timed.cases if not case.overhead_bound] or list(timed.cases)
    scores = [case.efficiency.score for case in filling]
    if not scores:
        return None
    if min(scores) <= 0:
        return 0.0
    return math.exp(sum(map(math.log, scores)) / len(scores))
