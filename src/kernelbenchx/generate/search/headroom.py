"""The task's cost model applied to a kernel: its bottleneck and the speed left to gain."""

import math

from kernelbenchx.catalog.arithmetic_intensity import intensity
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.headline import score_of
from kernelbenchx.core.performance import Clock, Timed, TimedCase
from kernelbenchx.generate.search.log_speed import LogSpeed
from kernelbenchx.generate.search.prior import Bottleneck

RIDGE = 30.0
"""Operations per byte; GPUs do more for every byte with matrix units, less without."""


def bound_of(evaluation: Evaluation) -> Bottleneck:
    """By the measured use of the GPU; without times, by the cost of the timed cases."""
    timed = evaluation.performance
    if not isinstance(timed, Timed):
        return by_cost(evaluation.task)
    memory = sum(one.efficiency.iou >= one.efficiency.mfu for one in timed.cases)
    return Bottleneck.MEMORY if 2 * memory >= len(timed.cases) else Bottleneck.ARITHMETIC


def by_cost(task: str) -> Bottleneck:
    """The bottleneck by the task's cost. Torch is loaded by now: a kernel was evaluated."""
    known = intensity(task)
    if known is None:
        return Bottleneck.UNKNOWN
    return Bottleneck.ARITHMETIC if known > RIDGE else Bottleneck.MEMORY


def ceiling_of(evaluation: Evaluation, speed: LogSpeed) -> float:
    """The log speed that no kernel can exceed on this GPU; infinite where unknown."""
    timed = evaluation.performance
    if not isinstance(timed, Timed) or not timed.cases:
        return math.inf
    logs = [math.log(one) for one in map(_headroom, timed.cases) if one is not None]
    if len(logs) < len(timed.cases):
        return math.inf
    return speed.value + max(0.0, sum(logs) / len(logs))


def compute_peak_share(evaluation: Evaluation) -> float:
    """The share of the GPU's measured peak, over the cases that fill it; 0 where unknown."""
    timed = evaluation.performance
    return (score_of(timed) or 0.0) if isinstance(timed, Timed) else 0.0


def farthest(timed: Timed) -> TimedCase | None:
    """The case with most to gain: furthest from the limit, those that launching rules apart."""
    filling = [one for one in timed.cases if not one.overhead_bound] or list(timed.cases)
    return min(filling, key=lambda one: one.efficiency.score, default=None)


def _headroom(one: TimedCase) -> float | None:
    """How many times longer than the limit it takes."""
    mine = next((c.candidate_us for c in one.comparisons if c.clock is Clock.DEVICE), 0.0)
    limit = one.efficiency.roofline_us
    return mine / limit if limit > 0 and mine > 0 else None
