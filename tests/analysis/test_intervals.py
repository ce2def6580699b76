"""Intervals: known values, and what changes when attempts share a task."""

import math
from itertools import combinations

import numpy as np
import pytest

from kernelbenchx.analysis.intervals import (
    FEWEST,
    Clusters,
    cut,
    geometric_means,
    holm,
    means,
    newcombe,
    paired_difference,
    pass_at_k,
    shares,
    sign_test,
    student,
    task_weights,
    wilson,
)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (54, 176, 0.2434, 0.3785),
        (5, 10, 0.2366, 0.7634),
    ],
)
def test_wilson_against_published_values(successes: int, n: int, low: float, high: float) -> None:
    found = wilson(successes, n)
    assert (found.value, found.n) == (successes / n, n)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


def test_without_draws_everything_is_possible() -> None:
    found = wilson(0, 0)
    assert math.isnan(found.value) and (found.low, found.high) == (0.0, 1.0)


def test_one_attempt_per_task_is_plain_wilson() -> None:
    hits = [1] * 54 + [0] * 122
    found, plain = shares(hits, np.arange(176)).at(0), wilson(54, 176)
    assert found.value == pytest.approx(plain.value)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))


def test_copies_of_an_attempt_tell_nothing_new() -> None:
    once = [1] * 20 + [0] * 40
    tasks = np.arange(60)
    single = shares(once, tasks).at(0)
    copied = shares(np.repeat(once, 10), np.repeat(tasks, 10)).at(0)
    assert (copied.low, copied.high) == pytest.approx((single.low, single.high))
    assert copied.n == 600


def test_independent_attempts_tell_more_but_not_more_than_so_many_tasks() -> None:
    tasks = np.repeat(np.arange(60), 4)
    hits = np.tile([1, 0, 0, 1], 60)
    spread = shares(hits, tasks).at(0)
    alone = wilson(30, 60)
    most = wilson(120, 240)
    assert alone.low < spread.low <= most.low
    assert most.high <= spread.high < alone.high


@pytest.mark.parametrize(("hit", "low", "high"), [(0, 0.0, 0.1135), (1, 0.8865, 1.0)])
def test_where_all_agree_only_tasks_count(hit: int, low: float, high: float) -> None:
    found = shares(np.full(90, hit), np.repeat(np.arange(30), 3)).at(0)
    assert (found.value, found.n) == (hit, 90)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


def test_a_task_has_one_voice_however_often_it_was_tried() -> None:
    hits = [1] * 9 + [0]
    tasks = [0] * 9 + [1]
    assert shares(hits, tasks).value[0] == 0.5
    assert means(hits, tasks).value[0] == 0.5


def test_groups_are_as_if_each_were_alone() -> None:
    rng = np.random.default_rng(3)
    groups, tasks = rng.integers(0, 4, 500), rng.integers(0, 20, 500)
    values = rng.random(500)
    rows = Clusters(tasks, groups, 5)
    for group in range(4):
        own = groups == group
        for together, alone in (
            (rows.shares(values > 0.5), shares(values[own] > 0.5, tasks[own])),
            (rows.means(values), means(values[own], tasks[own])),
        ):
            assert together.at(group) == alone.at(0)
            assert together.tasks[group] == alone.tasks[0] == len(set(tasks[own]))
    assert rows.attempts.tolist() == np.bincount(groups, minlength=5).tolist()
    assert rows.totals(values)[2] == pytest.approx(values[groups == 2].sum())
    empty = rows.shares(values > 0.5).at(4)
    assert math.isnan(empty.value) and (empty.low, empty.high, empty.n) == (0.0, 1.0, 0)


def test_the_interval_of_a_mean_is_students_over_tasks() -> None:
    found = means([1.0, 3.0, 2.0, 6.0], [0, 0, 1, 2]).at(0)
    each = np.array([2.0, 2.0, 6.0])
    width = 4.302653 * each.std(ddof=1) / math.sqrt(3)
    assert found.value == pytest.approx(10 / 3)
    assert (found.low, found.high) == pytest.approx((10 / 3 - width, 10 / 3 + width))


def test_a_share_of_the_possible_stays_cut() -> None:
    found = cut(means([0.9, 1.0, 0.5], [0, 1, 2])).at(0)
    assert found.high == 1.0 and 0 <= found.low < found.value
    fast = cut(means([0.1, 0.1, 3.0], [0, 1, 2]), math.inf).at(0)
    assert fast.low == 0.0 and fast.high > 3.0
    beyond = cut(means([1.2, 1.3, 1.4], [0, 1, 2])).at(0)
    assert beyond.high > 1.4, "what is measured beyond one is not hidden"


@pytest.mark.parametrize("tasks", [[7, 7, 7], [7, 7, 9], [7, 8, 9]])
def test_one_task_or_two_say_nothing_of_others(tasks: list[int]) -> None:
    found = geometric_means([4.0, 4.0, 4.5], tasks)
    few = len(set(tasks)) < FEWEST
    assert 4.0 < found.value[0] < 4.5
    assert math.isnan(found.low[0]) is math.isnan(found.high[0]) is few


def test_twice_as_fast_and_half_as_fast_are_one() -> None:
    found = geometric_means([2.0, 0.5, 1.0], [0, 1, 2]).at(0)
    assert found.value == pytest.approx(1.0)
    assert found.low * found.high == pytest.approx(1.0)


def test_paired_differences_use_that_tasks_agree() -> None:
    rest = [0.0] * 80
    found = paired_difference([1.0] * 15 + [-1.0] * 5 + rest)
    assert found.value == pytest.approx(0.1)
    # Agresti and Min: 15.5 and 5.5 of 102.
    centre = 10 / 102
    width = 1.959964 * math.sqrt((21 / 102 - centre**2) / 102)
    assert (found.low, found.high) == pytest.approx((centre - width, centre + width), abs=1e-6)


def test_no_discordant_task_still_leaves_doubt() -> None:
    found = paired_difference([0.0] * 40)
    assert found.value == 0.0 and found.low == -found.high < 0
    closer = paired_difference([0.0] * 40, resolution=0.1)
    assert found.low < closer.low < 0


@pytest.mark.parametrize(
    ("better", "worse", "chance"),
    [(0, 0, 1.0), (5, 5, 1.0), (10, 0, 2 / 1024), (1, 7, 2 * 9 / 256), (3, 1, 2 * 5 / 16)],
)
def test_the_sign_test_is_mcnemars_exact_one(better: int, worse: int, chance: float) -> None:
    assert sign_test(better, worse) == pytest.approx(chance)
    assert sign_test(worse, better) == pytest.approx(chance)


def test_many_comparisons_are_paid_for() -> None:
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]
    assert holm([]).size == 0


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_pass_at_k_is_the_share_of_choices_that_hold_a_right_one(k: int) -> None:
    for right in range(7):
        drawn = list(combinations([1] * right + [0] * (6 - right), k))
        share = sum(any(one) for one in drawn) / len(drawn)
        assert pass_at_k(6, right, k) == pytest.approx(share)


def test_pass_at_k_needs_k_attempts_and_stays_exact_for_many() -> None:
    assert math.isnan(float(pass_at_k(4, 2, 5)))
    assert pass_at_k(100_000, 1, 10) == pytest.approx(1e-4, rel=1e-6)
    assert pass_at_k([10, 10], [0, 10], 3).tolist() == [0.0, 1.0]


def test_bootstrap_samples_draw_as_many_tasks_as_there_are() -> None:
    drawn = task_weights(12, 50, seed=4)
    assert drawn.shape == (50, 12)
    assert set(drawn.sum(axis=1)) == {12}
    assert np.array_equal(drawn, task_weights(12, 50, seed=4))
    assert not np.array_equal(drawn, task_weights(12, 50, seed=5))


def test_few_degrees_of_freedom_are_wide() -> None:
    assert student([1, 10, 1e9]).tolist() == pytest.approx(
        [12.706205, 2.228139, 1.959964], rel=1e-6
    )
    assert student(0) == student(1)


def test_a_rise_of_independent_shares() -> None:
    one = newcombe(4, 37, 100)
    assert one.value == pytest.approx(0.33) and one.n == 100
    assert 0.2 < one.low < 0.33 < one.high < 0.45
    back = newcombe(37, 4, 100)
    assert [back.low, back.high] == pytest.approx([-one.high, -one.low])
    none = newcombe(10, 10, 100)
    assert none.low < 0.0 < none.high
