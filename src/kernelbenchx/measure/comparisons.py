"""Turns the blocks of a case into comparisons: host waiting, sampling plan, and remarks."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kernelbenchx.core.performance import WAITS, Clock, Comparison, Sample, Tier
from kernelbenchx.measure.block_sampling import Sampling
from kernelbenchx.measure.case_inputs import Block
from kernelbenchx.measure.host_wait import NEVER, HostWait, measure_host_wait
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.measure.statistics import (
    HOST_BOUND_PLAN,
    HOST_TIMED_PLAN,
    HOST_WAITING_PLAN,
    PLANS,
    QUEUED_PLAN,
    SamplingPlan,
    estimate_speedup,
    typical_us,
)
from kernelbenchx.worker.timing.recorded_steps import READS

HOSTED_US = 100.0
"""A wrapper with several launches costs the host this much time: whether a quicker candidate waits
is not known."""
_APART = 0.05


def choose_plan(how: str, clock: Clock = Clock.DEVICE, waits: HostWait = NEVER) -> SamplingPlan:
    """The plan for calls made in this way."""
    if clock is Clock.CALL or how == "graph":
        return PLANS[clock]
    if how == "queued":
        return QUEUED_PLAN
    if waits.bound:
        return HOST_BOUND_PLAN
    return HOST_WAITING_PLAN if waits.within else HOST_TIMED_PLAN


def choose_first_plan(how: str, obstacle: str) -> SamplingPlan:
    """The plan until it can be known whether the GPU waits for the host."""
    return choose_plan(how, waits=replace(NEVER, within=READS in obstacle))


def find_host_wait(
    sampling: Sampling, kind: str, baseline: RunnerClient, first: Block, obstacle: str
) -> HostWait:
    """How a case waits for the host: known for a baseline, estimated for a candidate."""
    if sampling.how != "batch":
        return replace(NEVER, within=sampling.how == "queued")
    samples = sampling.times.samples(kind, Clock.DEVICE)
    found = measure_host_wait(
        baseline, first, typical_us([one.baseline_us for one in samples], HOST_TIMED_PLAN)
    )
    mine = typical_us([one.candidate_us for one in samples], HOST_TIMED_PLAN)
    return replace(found, within=found.within or READS in obstacle or mine < HOSTED_US)


def compare(sampling: Sampling, kind: str, clock: Clock, tier: Tier, waits: HostWait) -> Comparison:
    """Compare with one baseline, by one clock."""
    samples, plan = sampling.times.samples(kind, clock), choose_plan(sampling.how, clock, waits)
    found = estimate_speedup(samples, plan)
    return Comparison(
        baseline=kind,
        clock=clock,
        tier=tier if clock is Clock.DEVICE else Tier.HOST_TIMED,
        candidate_us=typical_us([one.candidate_us for one in samples], plan),
        baseline_us=typical_us([one.baseline_us for one in samples], plan),
        speedup=found.speedup,
        low=found.low,
        high=found.high,
        speed_class=found.speed_class,
        samples=samples,
    )


def remarks_on(
    comparisons: Sequence[Comparison], plan: SamplingPlan, waits: HostWait
) -> Iterator[str]:
    """Remarks for a reader of the numbers."""
    if waits.within:
        yield WAITS
    for number, one in enumerate(one for one in comparisons if one.clock is Clock.DEVICE):
        if number == 0:
            yield from _describe_spread("this kernel", one.samples, "candidate_us", plan)
        yield from _describe_spread(one.baseline, one.samples, "baseline_us", plan)


def _describe_spread(
    whose: str, samples: Sequence[Sample], side: str, plan: SamplingPlan
) -> Iterator[str]:
    """Describe processes that run the same work at different speeds: no mean describes either."""
    pairs = sorted({one.pair for one in samples})
    times = [
        typical_us([getattr(one, side) for one in samples if one.pair == pair], plan)
        for pair in pairs
    ]
    if times and max(times) > (1.0 + _APART) * min(times):
        each = " and ".join(f"{one:.1f}" for one in times)
        yield f"the processes of {whose} differ: {each} us"
