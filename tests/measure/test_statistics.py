import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import trim_mean, ttest_ind

from kernelbenchx.core.performance import Clock, Sample, SpeedClass
from kernelbenchx.measure.statistics import (
    HOST_BOUND_PLAN,
    HOST_TIMED_PLAN,
    HOST_WAITING_PLAN,
    PLANS,
    QUEUED_PLAN,
    Estimate,
    SamplingPlan,
    classify_speedup,
    estimate_from_ratios,
    estimate_speedup,
    log_ratios,
    next_look,
    typical_us,
)
from kernelbenchx.measure.student_t import quantile

FREE = SamplingPlan(between=0.0)
RATIOS = st.floats(-0.5, 0.5, allow_subnormal=False)


def _wave(count: int, size: float = 0.003) -> list[float]:
    """Blocks around zero that are neither equal nor random."""
    return [size * math.sin(2.4 * i) for i in range(count)]


def _around(centre: float, count: int = 4, size: float = 0.003) -> list[list[float]]:
    one = [centre + value for value in _wave(count, size)]
    return [one, one[::-1]]


@pytest.mark.parametrize(
    ("low", "high", "pace"),
    [
        (0.99, 1.01, SpeedClass.TIE),
        (0.9899, 1.01, SpeedClass.UNDECIDED),
        (0.99, 1.0101, SpeedClass.UNDECIDED),
        (1.0101, 1.5, SpeedClass.FASTER),
        (1.01, 1.5, SpeedClass.UNDECIDED),
        (0.5, 0.9899, SpeedClass.SLOWER),
        (0.5, 0.99, SpeedClass.UNDECIDED),
        (0.9, 1.1, SpeedClass.UNDECIDED),
    ],
)
def test_pace_by_the_whole_interval(low: float, high: float, pace: SpeedClass) -> None:
    assert classify_speedup(low, high) is pace


@pytest.mark.parametrize(
    ("speedup", "pace"),
    [(1.0, SpeedClass.TIE), (1.2, SpeedClass.FASTER), (1 / 1.05, SpeedClass.SLOWER)],
)
def test_clear_cases_are_decided_at_the_first_look(speedup: float, pace: SpeedClass) -> None:
    found = estimate_from_ratios(_around(math.log(speedup)), 0)
    assert found.speed_class is pace
    assert found.final
    assert found.low < found.speedup < found.high
    assert found.speedup == pytest.approx(speedup, rel=2e-3)
    assert next_look(found) is None


def test_at_the_border_every_look_is_taken() -> None:
    last, taken = None, []
    while (blocks := next_look(last)) is not None:
        taken.append(blocks)
        last = estimate_from_ratios(_around(math.log(1.01), blocks, size=0.02), len(taken) - 1)
        assert last.speed_class is SpeedClass.UNDECIDED
    assert tuple(taken) == PLANS[Clock.DEVICE].looks


def test_decided_but_not_precise_goes_on() -> None:
    found = estimate_from_ratios(_around(math.log(2.0), size=0.02), 0)
    assert found.speed_class is SpeedClass.FASTER
    assert found.half_width > 0.01
    assert not found.final
    assert next_look(found) == 6


def test_decided_but_not_precise_goes_on_up_to_a_point() -> None:
    apart = [[0.70 + value for value in _wave(16)], [0.76 + value for value in _wave(16)]]
    found = estimate_from_ratios(apart, PLANS[Clock.DEVICE].looks.index(16))
    assert found.speed_class is SpeedClass.FASTER
    assert found.half_width > 0.01
    assert found.final


def test_trimming_is_that_of_the_textbook() -> None:
    one = [0.01, -0.02, 0.005, 0.03, -0.01, 0.002, 0.015, -0.004, 0.9, 0.0]
    two = [0.011, -0.04, 0.006, 0.02, -0.01, 0.001, -0.7, 0.004, 0.008, 0.0]
    found = estimate_from_ratios(
        [one, two], 2, SamplingPlan(looks=(4, 6, 10), level=0.15, between=0.0)
    )
    yuen = ttest_ind(one, two, equal_var=False, trim=0.2)
    apart = float(trim_mean(one, 0.2) - trim_mean(two, 0.2))
    error = abs(apart / yuen.statistic) / 2
    assert found.disagreement == 0.0
    centre = float(trim_mean(one, 0.2) + trim_mean(two, 0.2)) / 2
    assert math.log(found.speedup) == pytest.approx(centre)
    assert found.half_width == pytest.approx(quantile(0.05, float(yuen.df)) * error)


def test_one_disturbed_block_changes_little_from_the_second_look_on() -> None:
    quiet = _around(math.log(1.05), 6)
    hit = [[*quiet[0][:-1], quiet[0][-1] - math.log(8.0)], quiet[1]]
    assert estimate_from_ratios(hit, 1).speedup == pytest.approx(
        estimate_from_ratios(quiet, 1).speedup, rel=2e-3
    )
    assert estimate_from_ratios(hit, 1).speed_class is SpeedClass.FASTER


def test_one_disturbed_block_at_the_first_look_decides_nothing() -> None:
    quiet = _around(math.log(1.05), 4)
    hit = [[*quiet[0][:-1], quiet[0][-1] - math.log(8.0)], quiet[1]]
    assert estimate_from_ratios(hit, 0).speed_class is SpeedClass.UNDECIDED


def test_identical_blocks_are_no_certainty() -> None:
    plan = PLANS[Clock.DEVICE]
    found = estimate_from_ratios([[0.0] * 4] * 2, 0)
    known = quantile(plan.spent, math.inf) * plan.between / math.sqrt(2)
    assert found.half_width == pytest.approx(known)
    assert estimate_from_ratios([[0.0] * 4] * 2, 0, FREE).half_width == 0.0


def test_pairs_that_disagree_widen_the_interval() -> None:
    alike = estimate_from_ratios([_wave(10), _wave(10)], 2)
    apart = estimate_from_ratios([_wave(10), [value + 0.02 for value in _wave(10)]], 2)
    assert alike.disagreement == 0.0
    assert apart.disagreement == pytest.approx(0.02 / math.sqrt(2), rel=0.1)
    assert apart.half_width > 4 * alike.half_width
    assert apart.speed_class is SpeedClass.UNDECIDED


def test_disagreement_within_the_noise_is_none() -> None:
    assert (
        estimate_from_ratios([_wave(4, 0.02), [v + 0.003 for v in _wave(4, 0.02)]], 0).disagreement
        == 0.0
    )


def test_call_times_are_trusted_less() -> None:
    pairs = _around(0.0, 16, 0.001)
    by_call = estimate_from_ratios(pairs, 3, PLANS[Clock.CALL])
    assert by_call.half_width > estimate_from_ratios(pairs, 3, PLANS[Clock.DEVICE]).half_width


def test_from_outside_a_process_no_tie_is_seen_and_a_difference_is() -> None:
    last = len(HOST_TIMED_PLAN.looks) - 1
    level, ahead = ([[at] * HOST_TIMED_PLAN.looks[last]] * 2 for at in (0.0, math.log(1.05)))
    assert estimate_from_ratios(level, last, HOST_TIMED_PLAN).speed_class is SpeedClass.UNDECIDED
    assert estimate_from_ratios(ahead, last, HOST_TIMED_PLAN).speed_class is SpeedClass.FASTER
    inside = replace(HOST_TIMED_PLAN, between=PLANS[Clock.DEVICE].between)
    assert estimate_from_ratios(level, last, inside).speed_class is SpeedClass.TIE


def test_all_looks_together_spend_the_level() -> None:
    plan = PLANS[Clock.DEVICE]
    assert plan.spent * len(plan.looks) == pytest.approx(plan.level) == pytest.approx(0.05)


@pytest.mark.parametrize(
    "plan", [PLANS[Clock.DEVICE], QUEUED_PLAN, HOST_TIMED_PLAN, HOST_WAITING_PLAN, HOST_BOUND_PLAN]
)
def test_no_plan_waits_for_a_precision_that_its_own_spread_forbids(plan: SamplingPlan) -> None:
    calm = [[0.0] * plan.looks[0]] * 2
    assert estimate_from_ratios(calm, 0, replace(plan, quickest=1)).half_width <= plan.precise


@settings(derandomize=True, deadline=None)
@given(st.lists(RATIOS, min_size=6, max_size=6), st.lists(RATIOS, min_size=6, max_size=6))
def test_swapping_sides_mirrors_the_interval(one: list[float], two: list[float]) -> None:
    there = estimate_from_ratios([one, two], 1)
    back = estimate_from_ratios([[-v for v in one], [-v for v in two]], 1)
    assert there.low * back.high == pytest.approx(1.0)
    assert there.speedup * back.speedup == pytest.approx(1.0)


@settings(derandomize=True, deadline=None)
@given(st.lists(RATIOS, min_size=6, max_size=6), st.permutations(range(6)), st.floats(-0.2, 0.2))
def test_order_and_place_do_not_matter(one: list[float], order: list[int], by: float) -> None:
    two = _wave(6)
    plain = estimate_from_ratios([one, two], 1)
    mixed = estimate_from_ratios([[v + by for v in two], [one[i] + by for i in order]], 1)
    assert mixed.half_width == pytest.approx(plain.half_width, rel=1e-6, abs=1e-9)
    assert mixed.speedup == pytest.approx(plain.speedup * math.exp(by))


@pytest.mark.parametrize(
    ("pairs", "look", "said"),
    [
        ([[0.0] * 4], 0, "two pairs"),
        ([[0.0] * 4] * 2, 6, "looks 0 to 5"),
        ([[0.0] * 4] * 2, -1, "looks 0 to 5"),
        ([[0.0] * 5] * 2, 0, "4 blocks"),
        ([[0.0] * 4, [0.0] * 5], 0, "4 blocks"),
        ([[0.0] * 4, [0.0, 0.0, 0.0, math.nan]], 0, "not finite"),
        ([[0.0] * 4, [0.0, 0.0, 0.0, math.inf]], 0, "not finite"),
    ],
)
def test_what_was_not_planned_is_refused(
    pairs: Sequence[Sequence[float]], look: int, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        estimate_from_ratios(pairs, look)


@pytest.mark.parametrize("looks", [(), (1, 4), (4, 4), (6, 4)])
def test_plans_rise(looks: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="looks"):
        SamplingPlan(looks=looks, between=0.001)
    assert SamplingPlan(looks=(2, 3), between=0.001).spent == 0.025


@pytest.mark.parametrize(("level", "between"), [(0.0, 0.0), (1.0, 0.0), (0.05, -0.1)])
def test_plans_have_a_level_and_a_spread(level: float, between: float) -> None:
    with pytest.raises(ValueError, match="makes no plan"):
        SamplingPlan(level=level, between=between)


def _sample(pair: int, block: int, candidate_us: float, baseline_us: float) -> Sample:
    return Sample(pair=pair, block=block, candidate_us=candidate_us, baseline_us=baseline_us)


def test_log_ratios_are_sorted_by_pair_and_block() -> None:
    samples = [_sample(1, 0, 2, 2), _sample(0, 1, 2, 4), _sample(0, 0, 4, 2), _sample(1, 1, 1, 8)]
    assert log_ratios(samples) == [
        pytest.approx([-math.log(2), math.log(2)]),
        pytest.approx([0.0, math.log(8)]),
    ]


@pytest.mark.parametrize("times", [(0.0, 1.0), (1.0, 0.0), (-1.0, 1.0), (math.nan, 1.0)])
def test_a_time_that_is_none_is_refused(times: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="pair 0, block 3"):
        log_ratios([_sample(0, 3, *times)])


def test_the_first_look_needs_no_estimate() -> None:
    assert next_look(None) == 4
    last = Estimate(
        speedup=1.0,
        low=0.9,
        high=1.1,
        speed_class=SpeedClass.UNDECIDED,
        look=5,
        blocks=36,
        final=True,
        disagreement=0.0,
    )
    assert next_look(last) is None


def _samples(mine: Sequence[float], theirs: Sequence[float]) -> list[Sample]:
    return [
        Sample(pair=pair, block=block, candidate_us=one, baseline_us=other)
        for pair in (0, 1)
        for block, (one, other) in enumerate(zip(mine, theirs, strict=True))
    ]


SLOW_HOST = [100.0, 101.0, 160.0, 161.0, 159.0, 162.0, 160.0, 161.0, 100.0, 101.0, *[160.0] * 6]


def test_where_the_host_takes_part_the_quickest_blocks_count() -> None:
    samples = _samples(SLOW_HOST, [200.0 + value for value in _wave(16)])
    for plan in (HOST_TIMED_PLAN, QUEUED_PLAN):
        found = estimate_speedup(samples, plan)
        assert found.speedup == pytest.approx(1.99, rel=0.01)
        assert found.low < 2.0 < found.high
        assert typical_us(SLOW_HOST, plan) == pytest.approx(100.5, rel=0.01)


def test_where_it_does_not_all_blocks_count() -> None:
    samples = _samples(SLOW_HOST, [200.0] * 16)
    found = estimate_speedup(samples, PLANS[Clock.DEVICE])
    assert found == estimate_from_ratios(log_ratios(samples), PLANS[Clock.DEVICE].looks.index(16))
    assert found.speedup < 1.5
    assert typical_us(SLOW_HOST, PLANS[Clock.DEVICE]) == 160.0


def test_only_planned_numbers_of_blocks_are_looked_at() -> None:
    with pytest.raises(ValueError):
        estimate_speedup(_samples([1.0] * 5, [1.0] * 5), HOST_TIMED_PLAN)


@pytest.mark.parametrize("plan", [PLANS[Clock.DEVICE], HOST_TIMED_PLAN])
@pytest.mark.parametrize(("at", "pace"), [(0.01, SpeedClass.UNDECIDED), (0.3, SpeedClass.FASTER)])
def test_it_is_measured_on_only_where_blocks_are_the_noise(
    plan: SamplingPlan, at: float, pace: SpeedClass
) -> None:
    """Of a comparison that is not known well enough, decided or not."""
    plan = replace(plan, precise=plan.between)
    enough = plan.looks.index(plan.enough)
    calm, noisy = (
        estimate_from_ratios(_around(at, plan.enough, size * plan.between), enough, plan)
        for size in (1.0, 10.0)
    )
    assert calm.speed_class is noisy.speed_class is pace
    assert calm.final and not noisy.final
