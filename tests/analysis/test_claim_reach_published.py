"""What the papers print about how far methods get, against their own tables."""

import math

import pytest

from kernelbenchx.analysis.claim_findings import ClaimFinding, ClaimVerdict
from kernelbenchx.analysis.claim_reach_published import reach_published

TABLE_3 = {"AutoTriton": 30.6, "GEAK": 36.1, "KernelAgent": 44.4, "Claude": 50.0}
"""Percent of Math, as printed."""


def _of(claim: str) -> list[ClaimFinding]:
    return [one for one in reach_published() if one.claim == claim]


def test_math_is_that_of_table_3_and_nobody_solves_most_of_it() -> None:
    found = {one.subject: one for one in _of("math_solved")}
    assert {name: round(one.value, 1) for name, one in found.items()} == TABLE_3
    assert {one.n for one in found.values()} == {36}
    assert found["AutoTriton"].verdict is ClaimVerdict.FAILS
    assert found["Claude"].verdict is ClaimVerdict.UNKNOWN


def test_numbers_without_n_have_no_interval() -> None:
    (worst,), (turns,) = _of("portability_worst"), _of("correct_within_turns")
    assert worst.value == 21.4 and math.isnan(turns.value) and turns.printed_first == 90.0
    for one in (worst, turns):
        assert math.isnan(one.low) and math.isnan(one.high) and one.n is None
        assert one.verdict is ClaimVerdict.UNKNOWN


def test_the_wall_is_at_least_what_is_named() -> None:
    (one,) = _of("wall_of_samples")
    share, z = 34 / 100, 1.959964
    middle = (share + z * z / 200) / (1 + z * z / 100)
    half = z * math.sqrt(share * (1 - share) / 100 + z * z / 40000) / (1 + z * z / 100)
    assert one.low == pytest.approx(100 * (middle - half), abs=1e-3) and one.high == 100.0
    assert math.isnan(one.value) and one.verdict is ClaimVerdict.HOLDS
