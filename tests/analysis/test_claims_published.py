"""What the papers print about their claims: the numbers of the papers, and no interval made up."""

import math

import pytest

from kernelbenchx.analysis.claim_findings import ClaimFinding, Verdict
from kernelbenchx.analysis.claim_statements import STATEMENTS
from kernelbenchx.analysis.claims_published import published_findings

FOUND = published_findings()


def _of(claim: str, word: str = "") -> list[ClaimFinding]:
    return [one for one in FOUND if one.claim == claim and word in one.subject]


def _one(claim: str, word: str = "") -> ClaimFinding:
    (found,) = _of(claim, word)
    return found


def test_every_statement_has_its_row_in_order() -> None:
    assert list(dict.fromkeys(one.claim for one in FOUND)) == [one.name for one in STATEMENTS]


def test_deviances_are_the_printed_ones_with_their_units() -> None:
    alone, added = _one("category_over_method", "alone"), _one("category_over_method", "added")
    assert [alone.first, alone.second] == pytest.approx([9.42, 3.31], abs=0.005)
    assert (alone.unit, added.unit) == ("points", "log likelihood")
    assert [added.first, added.second] == pytest.approx([34.6, 13.0], abs=0.1)
    assert (added.printed_first, added.printed_second) == (34.6, 13.0)
    for one in (alone, added):
        assert one.low < 0.0 < one.value < one.high
        assert one.verdict is Verdict.UNKNOWN, "which tasks were solved is not published"


def test_shares_of_tasks() -> None:
    fusion, zero = _one("fusion_unsolved"), _one("quantization_zero")
    assert (fusion.first, fusion.second, fusion.n) == (43, 60, 60)
    assert fusion.verdict is Verdict.HOLDS and fusion.low > 50.0
    assert (zero.first, zero.second, zero.n) == (0.0, 30.0, 30)
    assert zero.verdict is Verdict.UNKNOWN and zero.high > 20.0, "six tasks are few"


@pytest.mark.parametrize(("claim", "value"), [("slower_than_eager", 46.6), ("portability", 2.15)])
def test_what_has_no_n_has_no_interval(claim: str, value: float) -> None:
    one = _one(claim)
    assert (one.value, one.n) == (value, None)
    assert math.isnan(one.low) and math.isnan(one.high)
    assert one.verdict is Verdict.UNKNOWN and one.statement.lacks


def test_rescued_and_persistent() -> None:
    first, second = _of("rescued_slower")
    assert [first.first, second.first] == pytest.approx([1.158, 1.315], abs=5e-4)
    assert [first.second, second.second] == [1.58, 1.46]
    assert [first.n, second.n] == [15, 7] and "of 8" in second.of
    for one in (first, second):
        assert math.isnan(one.low) and one.value < 1.0
        assert one.verdict is Verdict.UNKNOWN, "persistent kernels have no single values"


def test_refinement_repairs_and_by_how_many() -> None:
    whole = _one("refinement_repairs", "0 to 2")
    assert [whole.first, whole.second] == pytest.approx([18.2, 30.7], abs=0.05)
    assert whole.value == pytest.approx(12.5) and whole.verdict is Verdict.HOLDS
    steps = [_one("refinement_repairs", word) for word in ("0 to 1", "1 to 2")]
    assert [(one.first, one.second, one.value) for one in steps] == [(15, 0, 15), (8, 1, 7)]


def test_gains_of_the_kernels_that_gained_bound_those_of_all() -> None:
    for one in _of("refinement_no_speedup"):
        assert one.low == 0.0 and one.high < 1.01
        assert one.verdict is Verdict.HOLDS and "upper bound" in one.note


def test_what_kernelbench_prints() -> None:
    samples = _one("gain_by_samples")
    assert (samples.printed_first, samples.printed_second, samples.n) == (4, 37, 100)
    assert samples.value == pytest.approx(33.0) and samples.verdict is Verdict.HOLDS
    turns = [_one("gain_by_turns", f"R1, level {level}") for level in (1, 2)]
    printed = [(one.printed_first, one.printed_second) for one in turns]
    assert printed == [(12, 43), (36, 72)]
    best = _one("under_20_percent", "R1")
    assert best.value == pytest.approx(19.6) and best.verdict is Verdict.UNKNOWN
    assert _one("under_20_percent", "GPT-4o").verdict is Verdict.HOLDS
    told = _one("gain_by_execution_feedback", "R1")
    assert (told.n, told.verdict) == (250, Verdict.HOLDS)
    assert _one("gain_by_profile", "R1").verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    "claim", ["examples_do_not_help", "hardware_facts_help_little", "memory_over_compute"]
)
def test_where_no_number_is_printed_none_is_given(claim: str) -> None:
    one = _one(claim)
    assert math.isnan(one.value) and one.n is None and one.verdict is Verdict.UNKNOWN
    assert "no number" in one.note
