"""The bounds hold: against exact tails, and by simulation."""

import math

import pytest
import torch
from scipy import stats

from kernelbenchx import catalog
from kernelbenchx.spec.tail_bounds import (
    CASE_ALPHA,
    EVALUATION_ALPHA,
    MOST_JUDGEMENTS,
    Family,
    Statistic,
    duplicates,
    fetch_statistics,
    kolmogorov,
    most_surprising,
    multiplicity,
    rare_events,
    threshold,
)


def test_kolmogorov_passes_uniform_numbers_and_sees_a_bent_law() -> None:
    unit = torch.rand(20_000, generator=torch.Generator().manual_seed(0)).sort().values
    assert kolmogorov(unit, 2.0**-23) < 10
    assert kolmogorov(unit**1.1, 2.0**-23) > threshold(400)
    assert kolmogorov(torch.empty(0), 2.0**-23) == 0.0


def test_kolmogorov_false_alarms_are_bounded() -> None:
    generator = torch.Generator().manual_seed(1)
    alarms = sum(
        kolmogorov(torch.rand(200, generator=generator).sort().values, 0.0) > math.log(10)
        for _ in range(2000)
    )
    assert alarms <= 0.1 * 2000 + 4 * math.sqrt(2000 * 0.1 * 0.9)


@pytest.mark.parametrize("bits", (23, 24, 32))
def test_enough_bits_repeat_as_often_as_expected(bits: int) -> None:
    drawn = torch.randint(0, 2**bits, (32_768,), generator=torch.Generator().manual_seed(2))
    repeated = 32_768 - torch.unique(drawn).numel()
    assert duplicates(repeated, 32_768, 2.0**-23) < 10


@pytest.mark.parametrize("bits", (8, 16, 20))
def test_few_bits_repeat_too_often(bits: int) -> None:
    drawn = torch.randint(0, 2**bits, (32_768,), generator=torch.Generator().manual_seed(2))
    repeated = 32_768 - torch.unique(drawn).numel()
    assert duplicates(repeated, 32_768, 2.0**-23) > threshold(400)


def test_one_value_in_many_places_is_seen_and_a_pair_is_not() -> None:
    assert multiplicity(2, 32_768, 2.0**-23) < 1
    assert multiplicity(1, 32_768, 2.0**-23) == 0.0
    assert multiplicity(7, 32_768, 2.0**-23) > threshold(400)


def test_the_threshold_splits_alpha_over_all_tests() -> None:
    for count in (1, 10, 400):
        assert count * math.exp(-threshold(count)) == pytest.approx(CASE_ALPHA)
    assert MOST_JUDGEMENTS * CASE_ALPHA == EVALUATION_ALPHA == 1e-9


def test_no_random_task_has_more_judgements_than_share_the_allowance() -> None:
    random = [task for task in map(catalog.load, catalog.names()) if task.randomness != "none"]
    assert random and all(2 * len(task.cases(0)) <= MOST_JUDGEMENTS for task in random)


def test_families_are_fetched_in_order_with_the_number_of_the_test() -> None:
    families = [Family(torch.tensor(float(n)), torch.tensor(7 * n), str) for n in range(3)]
    assert fetch_statistics(families) == [
        Statistic(0.0, "0"),
        Statistic(1.0, "7"),
        Statistic(2.0, "14"),
    ]
    assert fetch_statistics([]) == []


@pytest.mark.parametrize("rate", (1e-6, 1e-3))
def test_rare_events_are_never_below_the_exact_tail(rate: float) -> None:
    for count in range(20):
        tail = stats.binom.sf(count - 1, 5000, rate)
        assert math.exp(-rare_events(count, 5000, rate)) >= tail * (1 - 1e-9)
    assert rare_events(6, 90_000, 2.0**-23) > threshold(100)


def test_the_worst_is_measured_and_the_first_cause_named() -> None:
    limit = threshold(3)
    tests = [Statistic(1.0, "fine"), Statistic(30.0, "cause"), Statistic(50.0, "effect")]
    assert most_surprising(tests) == (50.0 / limit, "cause")
    assert most_surprising(tests[:1]) == (1.0 / threshold(1), "")
    assert most_surprising([]) == (0.0, "")
