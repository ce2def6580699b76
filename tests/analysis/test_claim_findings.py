"""A verdict needs the whole interval on one side."""

import math

import pytest

from kernelbenchx.analysis.claim_findings import (
    FEWEST_TASKS,
    ClaimFinding,
    ClaimVerdict,
    ratio_of_means,
)

NAN = math.nan


def _verdict(claim: str, low: float, high: float, tasks: int | None = 9) -> ClaimVerdict:
    return ClaimFinding(
        claim=claim, subject="", n=9, of="tasks", tasks=tasks, unit="", low=low, high=high
    ).verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (51.0, 60.0, ClaimVerdict.HOLDS),
        (40.0, 49.0, ClaimVerdict.FAILS),
        (49.0, 51.0, ClaimVerdict.UNKNOWN),
        (50.0, 60.0, ClaimVerdict.UNKNOWN),
        (NAN, NAN, ClaimVerdict.UNKNOWN),
        (51.0, NAN, ClaimVerdict.HOLDS),
        (NAN, 49.0, ClaimVerdict.FAILS),
    ],
)
def test_above(low: float, high: float, verdict: ClaimVerdict) -> None:
    assert _verdict("fusion_unsolved", low, high) is verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.0, 1.04, ClaimVerdict.HOLDS),
        (1.06, 2.0, ClaimVerdict.FAILS),
        (1.0, 1.1, ClaimVerdict.UNKNOWN),
        (NAN, 1.0, ClaimVerdict.HOLDS),
    ],
)
def test_below(low: float, high: float, verdict: ClaimVerdict) -> None:
    assert _verdict("refinement_no_speedup", low, high) is verdict


@pytest.mark.parametrize(("low", "high"), [(51.0, 60.0), (40.0, 49.0), (49.0, 51.0), (NAN, NAN)])
def test_fewer_than_six_tasks_are_not_enough(low: float, high: float) -> None:
    assert _verdict("fusion_unsolved", low, high, 5) is ClaimVerdict.FEW
    enough = _verdict("fusion_unsolved", low, high, 6)
    assert enough is _verdict("fusion_unsolved", low, high, None) is not ClaimVerdict.FEW


def test_six_tasks_are_the_fewest_that_agree_by_more_than_chance() -> None:
    def chance(n: int) -> float:
        return 2.0 * 0.5**n

    assert chance(FEWEST_TASKS) < 0.05 < chance(FEWEST_TASKS - 1)


def test_a_ratio_of_geometric_means_has_an_interval_from_three_values_on() -> None:
    value, low, high = ratio_of_means([1.0, 4.0, 2.0], [2.0, 8.0, 4.0])
    assert value == pytest.approx(0.5) and low < 0.5 < high
    assert low * high == pytest.approx(0.25), "symmetric in logarithms"
    value, low, high = ratio_of_means([1.0, 4.0], [2.0, 8.0, 4.0])
    assert value == pytest.approx(0.5) and math.isnan(low) and math.isnan(high)
    assert all(map(math.isnan, ratio_of_means([], [1.0])))
