"""Which plan the blocks of a case are looked at with, and what is said of them."""

import math
from typing import Any

import pytest

from kernelbenchx.core.performance import WAITS, Clock, Comparison, Sample, Tier
from kernelbenchx.measure import comparisons
from kernelbenchx.measure.block_times import BlockTimes, TimedSide
from kernelbenchx.measure.comparisons import (
    HOSTED_US,
    choose_first_plan,
    choose_plan,
    compare,
    find_host_wait,
    remarks_on,
)
from kernelbenchx.measure.host_wait import NEVER, HostWait
from kernelbenchx.measure.statistics import (
    HOST_BOUND_PLAN,
    HOST_TIMED_PLAN,
    HOST_WAITING_PLAN,
    PLANS,
    QUEUED_PLAN,
)
from kernelbenchx.worker.timing.recorded_steps import READS

WITHIN = HostWait(bound=False, within=True)
BOUND = HostWait(bound=True, within=True)
ANY: Any = None


def _sampling(mine_us: float, theirs_us: float, how: str = "batch", apart: float = 1.0) -> Any:
    """Sixteen quiet blocks; the second process of the baseline is slower by a factor."""

    class Sampled:
        times = BlockTimes()

    Sampled.how = how  # type: ignore[attr-defined]
    for pair in (0, 1):
        for block in range(16):
            wave = 1.0 + 0.001 * math.sin(2.4 * block)
            theirs = theirs_us * wave * (apart if pair else 1.0)
            for role, time in (("candidate", mine_us * wave), ("eager", theirs)):
                Sampled.times.note(TimedSide(role, pair, ANY), Clock.DEVICE, block, time)
    return Sampled


@pytest.mark.parametrize(
    ("how", "waits", "plan"),
    [
        ("graph", NEVER, PLANS[Clock.DEVICE]),
        ("queued", NEVER, QUEUED_PLAN),
        ("batch", NEVER, HOST_TIMED_PLAN),
        ("batch", WITHIN, HOST_WAITING_PLAN),
        ("batch", BOUND, HOST_BOUND_PLAN),
    ],
)
def test_the_plan_is_that_of_how_calls_were_made(how: str, waits: HostWait, plan: Any) -> None:
    assert choose_plan(how, Clock.DEVICE, waits) == plan
    assert choose_plan(how, Clock.CALL, waits) == PLANS[Clock.CALL]


@pytest.mark.parametrize(
    ("how", "obstacle", "plan"),
    [
        ("graph", READS, PLANS[Clock.DEVICE]),
        ("queued", "", QUEUED_PLAN),
        ("batch", "draws random numbers", HOST_TIMED_PLAN),
        ("batch", READS, HOST_WAITING_PLAN),
    ],
)
def test_when_to_stop_is_decided_by_what_is_known_before(
    how: str, obstacle: str, plan: Any
) -> None:
    assert choose_first_plan(how, obstacle) == plan


def test_whatever_is_known_afterwards_the_looks_are_the_same() -> None:
    """A number of blocks that no look of the later plan has would be an error after all of it."""
    assert HOST_TIMED_PLAN.looks == HOST_WAITING_PLAN.looks == HOST_BOUND_PLAN.looks
    assert HOST_TIMED_PLAN.level == HOST_WAITING_PLAN.level == HOST_BOUND_PLAN.level


def test_a_host_that_is_quick_for_one_block_makes_nobody_faster_where_it_decides() -> None:
    sampling = _sampling(20_000.0, 20_000.0)
    for block in (3, 4):
        sampling.times.note(TimedSide("eager", 0, ANY), Clock.DEVICE, block, 15_000.0)
    assert abs(_device(sampling, BOUND).speedup - 1.0) < 0.002
    assert _device(sampling, WITHIN).speedup < 0.95


@pytest.mark.parametrize(
    ("mine_us", "obstacle", "within"),
    [
        (5.0 * HOSTED_US, "", False),
        (5.0 * HOSTED_US, READS, True),
        (0.9 * HOSTED_US, "", True),  # launching takes as long: nobody knows who waited
    ],
)
def test_a_candidate_waits_where_it_says_so_or_is_quick(
    mine_us: float, obstacle: str, within: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparisons, "measure_host_wait", lambda *_: NEVER)
    found = find_host_wait(_sampling(mine_us, 900.0), "eager", ANY, ANY, obstacle)
    assert found == HostWait(bound=False, within=within)


@pytest.mark.parametrize(("how", "within"), [("graph", False), ("queued", True)])
def test_a_graph_waits_for_nobody(how: str, within: bool) -> None:
    assert find_host_wait(_sampling(9.0, 9.0, how), "eager", ANY, ANY, READS).within is within


def _device(sampling: Any, waits: HostWait) -> Comparison:
    return compare(sampling, "eager", Clock.DEVICE, Tier.HOST_TIMED, waits)


@pytest.mark.parametrize("apart", [1.0, 1.03, 1.06, 1.5])
def test_who_waits_is_never_known_better(apart: float) -> None:
    sampling = _sampling(400.0, 800.0, apart=apart)
    known, less = _device(sampling, NEVER), _device(sampling, WITHIN)
    assert less.speedup == known.speedup
    assert less.low <= known.low and less.high >= known.high


def test_processes_that_differ_are_named_with_their_times() -> None:
    found = _device(_sampling(400.0, 800.0, apart=1.4), NEVER)
    (said,) = remarks_on([found], HOST_TIMED_PLAN, NEVER)
    assert said == "the processes of eager differ: 799.2 and 1118.9 us"
    alike = _device(_sampling(400.0, 800.0, apart=1.02), NEVER)
    assert list(remarks_on([alike], HOST_TIMED_PLAN, NEVER)) == []
    assert list(remarks_on([alike], HOST_TIMED_PLAN, WITHIN)) == [WAITS]


def test_samples_keep_their_pairs() -> None:
    found = _device(_sampling(400.0, 800.0), NEVER)
    assert {(one.pair, one.block) for one in found.samples} == {
        (pair, block) for pair in (0, 1) for block in range(16)
    }
    assert all(isinstance(one, Sample) for one in found.samples)
