import math

import msgspec
import pytest

from kernelbenchx.core.performance import Clock, Comparison, SpeedClass, Speedup, Tier, TimedCase
from kernelbenchx.measure.aggregates import task_speedup, task_speedups
from kernelbenchx.measure.statistics import HOST_TIMED_PLAN, PLANS, SamplingPlan
from kernelbenchx.measure.student_t import quantile
from samples import comparison, timed_case


def _case(speedup: float, half: float = 0.02, tier: Tier = Tier.REPLAY) -> TimedCase:
    one = comparison(speedup, "eager", tier=tier)
    low, high = speedup * math.exp(-half), speedup * math.exp(half)
    one = msgspec.structs.replace(one, low=low, high=high)
    return msgspec.structs.replace(timed_case(speedup), comparisons=(one,))


def _half(found: Speedup | None) -> float:
    assert found is not None
    return math.log(found.high / found.low) / 2


def _of_processes(plan: SamplingPlan) -> float:
    return quantile(plan.spent, math.inf) * plan.between / math.sqrt(2)


REPLAYED, WALLED = _of_processes(PLANS[Clock.DEVICE]), _of_processes(HOST_TIMED_PLAN)


def _with(case: TimedCase, *more: Comparison) -> TimedCase:
    return msgspec.structs.replace(case, comparisons=(*case.comparisons, *more))


def test_geometric_mean_over_all_cases() -> None:
    found = task_speedup([_case(0.5), _case(4.0), _case(4.0)], "eager")
    assert found is not None
    assert found.speedup == pytest.approx(2.0)
    assert found.speed_class is SpeedClass.FASTER


def test_half_widths_add_like_standard_deviations() -> None:
    found = task_speedup([_case(1.5, 0.3), _case(1.5, 0.4)], "eager")
    assert _half(found) == pytest.approx(0.5 / 2, rel=1e-3)


def test_half_widths_of_cases_that_wait_for_the_same_host_add_as_they_are() -> None:
    slow, quick = (
        msgspec.structs.replace(_case(1.5, 0.3), waits_for_host=it) for it in (True, False)
    )
    found = task_speedup([slow, slow, quick], "eager")
    assert _half(found) == pytest.approx(math.hypot(0.6, 0.3) / 3, rel=1e-2)
    assert _half(task_speedup([slow] * 3, "eager")) == pytest.approx(0.3)
    assert _half(task_speedup([quick] * 3, "eager")) == pytest.approx(0.3 / math.sqrt(3), rel=1e-3)


@pytest.mark.parametrize(("tier", "least"), [(Tier.REPLAY, REPLAYED), (Tier.HOST_TIMED, WALLED)])
def test_more_cases_do_not_average_a_process_away(tier: Tier, least: float) -> None:
    halves = [_half(task_speedup([_case(1.5, 2 * least, tier)] * n, "eager")) for n in (1, 8, 800)]
    assert halves[0] == pytest.approx(2 * least)
    assert halves[1] == pytest.approx(least * math.sqrt(1 + 3 / 8))
    assert halves[2] == pytest.approx(least, rel=1e-2)


def test_a_case_by_the_judges_clock_brings_its_own_spread_and_no_other() -> None:
    replayed, walled = _case(1.5, REPLAYED), _case(1.5, WALLED, Tier.HOST_TIMED)
    assert WALLED > 4 * REPLAYED
    assert _half(task_speedup([walled, walled], "eager")) == pytest.approx(WALLED)
    assert _half(task_speedup([replayed, replayed], "eager")) == pytest.approx(REPLAYED)
    mixed = task_speedup([replayed, walled], "eager")
    assert _half(mixed) == pytest.approx((REPLAYED + WALLED) / 2)


def test_one_case_keeps_its_interval() -> None:
    found = task_speedup([_case(1.3, 0.02)], "eager")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((1.3 * math.exp(-0.02), 1.3 * math.exp(0.02)))


@pytest.mark.parametrize(
    ("speedup", "half", "speed_class"),
    [
        (1.0, 0.004, SpeedClass.TIE),
        (1.0, 0.02, SpeedClass.UNDECIDED),
        (1.05, 0.02, SpeedClass.FASTER),
        (0.95, 0.02, SpeedClass.SLOWER),
        (1.02, 0.02, SpeedClass.UNDECIDED),
    ],
)
def test_pace_of_a_task(speedup: float, half: float, speed_class: SpeedClass) -> None:
    found = task_speedup([_case(speedup, half)], "eager")
    assert found is not None
    assert found.speed_class is speed_class


def test_a_case_without_the_baseline_leaves_no_speedup() -> None:
    full = _with(_case(2.0), comparison(1.5, "compile"))
    assert task_speedup([full, full], "compile") is not None
    assert task_speedup([full, _case(2.0)], "compile") is None
    assert task_speedup([full, _case(2.0)], "eager") is not None
    assert task_speedup([], "eager") is None


def test_call_times_do_not_enter() -> None:
    by_call = comparison(9.0, "eager", Clock.CALL)
    found = task_speedup([_with(_case(2.0), by_call)], "eager")
    assert found is not None
    assert found.speedup == pytest.approx(2.0)
    only = msgspec.structs.replace(_case(2.0), comparisons=(by_call,))
    assert task_speedup([only], "eager") is None


def test_cases_that_are_bound_by_overhead_count_too() -> None:
    small = msgspec.structs.replace(_case(4.0), overhead_bound=True)
    found = task_speedup([_case(1.0), small], "eager")
    assert found is not None
    assert found.speedup == pytest.approx(2.0)


def test_every_baseline_that_is_complete() -> None:
    full = _with(_case(2.0), comparison(1.5, "compile"))
    assert [one.baseline for one in task_speedups([full, full])] == ["eager", "compile"]
    assert [one.baseline for one in task_speedups([full, _case(2.0)])] == ["eager"]
    assert task_speedups([]) == ()
