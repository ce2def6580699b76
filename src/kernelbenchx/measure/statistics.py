"""From blocks to a verdict: the interval of a speedup, and when to stop measuring.

A *block* gives one log ratio, log(baseline time / candidate time), for each *pair* of processes.
The plan names the block counts at which the data may be looked at, and every look spends its
share of the error that the whole procedure may make. docs/explanation/statistics.md says why.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median

from kernelbenchx.core.performance import Clock, Sample, SpeedClass
from kernelbenchx.measure.pair_means import (
    PairMean,
    compare_quickest,
    quick_mean,
    trim_mean,
    variance,
)
from kernelbenchx.measure.student_t import quantile

TIE_LOW, TIE_HIGH = 0.99, 1.01
"""A speedup between these is a tie."""

PRECISE = 0.01
"""The precision of a plan by default."""

PRIOR_FREEDOM = 2
"""Degrees of freedom of the spread known in advance, against the disagreement of the measured
pairs."""


@dataclass(frozen=True, kw_only=True)
class SamplingPlan:
    """When to look, what all looks together may get wrong, and how far processes differ."""

    looks: tuple[int, ...] = (4, 6, 10, 16, 24, 36)
    """Blocks per pair at each look."""
    level: float = 0.05
    """Chance that any of the looks gives an interval without the truth in it."""
    precise: float = PRECISE
    """Half width of the log interval at which a decided comparison is known well enough."""
    enough: int = 16
    """Blocks after which sampling continues only while within-pair noise exceeds between-process
    variation: otherwise more blocks do not help."""
    between: float
    """Least standard deviation of the log ratio between pairs of processes, however well two
    pairs happen to agree."""
    quickest: int = 1
    """Of each side's blocks, the quickest one in so many counts; 1: all of them, trimmed."""

    def __post_init__(self) -> None:
        if list(self.looks) != sorted(set(self.looks)) or not self.looks or self.looks[0] < 2:
            raise ValueError(f"looks must rise from at least two blocks, not {self.looks}")
        if not (0.0 < self.level < 1.0 and self.between >= 0.0):
            raise ValueError(f"level {self.level} or spread {self.between} makes no plan")

    @property
    def spent(self) -> float:
        """The share of the error level that one look may spend: equal shares, together no more than
        the level."""
        return self.level / len(self.looks)


WAITING = 0.02
"""The least spread if the GPU waits for the host within calls: the host's speed differs from one
run to the next, for all processes alike, so that nothing within a run shows it."""

LEAST = 0.002
"""An order of magnitude more than equal processes differ by on an idle H200, since other kernels
and other GPUs were not measured."""

PLANS = {
    Clock.DEVICE: SamplingPlan(between=LEAST),
    Clock.CALL: SamplingPlan(between=WAITING, quickest=2),
}

QUEUED_PLAN = SamplingPlan(between=WAITING, precise=0.05, quickest=4)
"""Device time of calls that no graph can hold: the GPU waits for the host in them, and with such a
spread no number of blocks would make it known to one percent."""

HOST_TIMED_PLAN = SamplingPlan(looks=(4, 8, 16, 32), between=0.01, precise=0.05, quickest=4)
"""Host-timed device time of a process: the overhead around calls differs between processes, so a
tie cannot be shown."""

HOST_WAITING_PLAN = replace(HOST_TIMED_PLAN, between=WAITING)
"""The same if the GPU waits for the host; looks are alike, since this may be known afterwards
only."""

HOST_BOUND_PLAN = replace(HOST_WAITING_PLAN, quickest=1)
"""The same if the host decides how long calls take. It is quicker at times as well as slower, and
this affects consecutive measurements alike: all blocks count, as ratios."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What is known of a speedup after one look."""

    speedup: float
    low: float
    high: float
    """Ends of the interval: together with those of all other looks it contains the truth at the
    level."""
    speed_class: SpeedClass
    look: int
    blocks: int
    """Per pair."""
    final: bool
    """No more sampling: it is known well enough, more would not help, or it was the last look."""
    disagreement: float
    """Standard deviation between pairs, in logs, beyond their noise and the plan's own."""

    @property
    def half_width(self) -> float:
        """Half width of the interval, in logs."""
        return (math.log(self.high) - math.log(self.low)) / 2.0


def estimate_speedup(samples: Sequence[Sample], plan: SamplingPlan) -> Estimate:
    """The speedup from all samples of a comparison so far: as many blocks as a look has."""
    ratios = log_ratios(samples)
    look = plan.looks.index(len(ratios[0]))
    if plan.quickest == 1:
        return estimate_from_ratios(ratios, look, plan)
    _require(ratios, look, plan)
    each = [
        compare_quickest(
            [math.log(one.candidate_us) for one in samples if one.pair == pair],
            [math.log(one.baseline_us) for one in samples if one.pair == pair],
            plan.quickest,
        )
        for pair in sorted({one.pair for one in samples})
    ]
    return _combine_pairs(each, look, plan)


def typical_us(times_us: Sequence[float], plan: SamplingPlan) -> float:
    """One number for the times of a side, from the blocks that count."""
    if plan.quickest == 1:
        return median(times_us)
    return math.exp(quick_mean([math.log(one) for one in times_us], plan.quickest))


def estimate_from_ratios(
    pairs: Sequence[Sequence[float]], look: int, plan: SamplingPlan | None = None
) -> Estimate:
    """The speedup at a look of the plan, from the log ratios of each pair's blocks so far."""
    plan = plan or PLANS[Clock.DEVICE]
    _require(pairs, look, plan)
    return _combine_pairs([trim_mean(pair) for pair in pairs], look, plan)


def _combine_pairs(each: Sequence[PairMean], look: int, plan: SamplingPlan) -> Estimate:
    centre = fmean(pair.mean for pair in each)
    noise = fmean(pair.variance for pair in each)
    # A spread that is assumed explains away what pairs disagree by: so the width is never
    # less than with the least spread alone.
    spreads = (plan.between, min(plan.between, LEAST))
    width = max(_half_width(each, spread, plan) for spread in spreads)
    low, high = math.exp(centre - width), math.exp(centre + width)
    pace = classify_speedup(low, high)
    known = width <= plan.precise and pace is not SpeedClass.UNDECIDED
    idle = plan.looks[look] >= plan.enough and noise <= plan.between**2
    return Estimate(
        speedup=math.exp(centre),
        low=low,
        high=high,
        speed_class=pace,
        look=look,
        blocks=plan.looks[look],
        final=known or idle or look == len(plan.looks) - 1,
        disagreement=math.sqrt(_excess(each, plan.between)),
    )


def classify_speedup(low: float, high: float) -> SpeedClass:
    """Tie inside one percent, faster or slower outside it, else undecided."""
    if low > TIE_HIGH:
        return SpeedClass.FASTER
    if high < TIE_LOW:
        return SpeedClass.SLOWER
    if low >= TIE_LOW and high <= TIE_HIGH:
        return SpeedClass.TIE
    return SpeedClass.UNDECIDED


def next_look(last: Estimate | None, plan: SamplingPlan | None = None) -> int | None:
    """How many blocks per pair the next look needs; None when it is enough."""
    plan = plan or PLANS[Clock.DEVICE]
    if last is None:
        return plan.looks[0]
    return None if last.final else plan.looks[last.look + 1]


def log_ratios(samples: Sequence[Sample]) -> list[list[float]]:
    """Log ratios of each pair, by block: above zero if the candidate was faster."""
    pairs: dict[int, dict[int, float]] = {}
    for one in samples:
        if not (one.baseline_us > 0.0 and one.candidate_us > 0.0):
            raise ValueError(f"pair {one.pair}, block {one.block}: a time is not above zero")
        pairs.setdefault(one.pair, {})[one.block] = math.log(one.baseline_us / one.candidate_us)
    return [[blocks[block] for block in sorted(blocks)] for _, blocks in sorted(pairs.items())]


def _require(pairs: Sequence[Sequence[float]], look: int, plan: SamplingPlan) -> None:
    if len(pairs) < 2:
        raise ValueError(f"at least two pairs of processes are needed, not {len(pairs)}")
    if not 0 <= look < len(plan.looks):
        raise ValueError(f"the plan has looks 0 to {len(plan.looks) - 1}, not {look}")
    counts = {len(pair) for pair in pairs}
    if counts != {plan.looks[look]}:
        raise ValueError(f"look {look} needs {plan.looks[look]} blocks of each pair, not {counts}")
    if not all(math.isfinite(value) for pair in pairs for value in pair):
        raise ValueError("a log ratio is not finite: a time was zero, negative or missing")


def _excess(each: Sequence[PairMean], between: float) -> float:
    """Variance between pairs beyond their noise and a known spread."""
    noise = fmean(pair.variance for pair in each)
    return max(0.0, variance([pair.mean for pair in each]) - noise - between**2)


def _half_width(each: Sequence[PairMean], between: float, plan: SamplingPlan) -> float:
    """Combines noise within pairs, a known spread between them, and the disagreement beyond both.

    Degrees of freedom after Welch and Satterthwaite.
    """
    pairs, excess = len(each), _excess(each, between)
    within = [pair.variance / pairs**2 for pair in each]
    total = sum(within) + (between**2 + excess) / pairs
    if total == 0.0:
        return 0.0
    doubt = sum(part**2 / pair.freedom for part, pair in zip(within, each, strict=True))
    doubt += (excess / pairs) ** 2 / (pairs - 1 + PRIOR_FREEDOM)
    freedom = total**2 / doubt if doubt > 0.0 else math.inf
    return quantile(plan.spent, max(freedom, 1.0)) * math.sqrt(total)
