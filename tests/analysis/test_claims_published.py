"""What the papers print about their claims: the numbers of the papers, and no interval made up."""

import math
from collections import Counter, defaultdict

import pytest

from kernelbenchx.analysis.claim_findings import ClaimFinding, ClaimVerdict
from kernelbenchx.analysis.claim_statements import OURS, PAPER_KB, PAPER_X, STATEMENTS
from kernelbenchx.analysis.claims_published import published_findings
from kernelbenchx.analysis.published_attempts import TaskArrangement, attempts
from kernelbenchx.analysis.published_data import NEAR_ZERO

FOUND = published_findings()


def _of(claim: str, word: str = "") -> list[ClaimFinding]:
    return [one for one in FOUND if one.claim == claim and word in one.subject]


def _one(claim: str, word: str = "") -> ClaimFinding:
    (found,) = _of(claim, word)
    return found


def test_every_statement_has_its_row_in_order() -> None:
    theirs = [one.name for one in STATEMENTS if one.paper != OURS]
    assert list(dict.fromkeys(one.claim for one in FOUND)) == theirs


def test_what_no_paper_says_is_credited_to_none() -> None:
    ours = [one for one in STATEMENTS if one.paper == OURS]
    assert [one.name for one in ours] == ["memory_over_compute"]
    assert not any(one.printed or one.lacks for one in ours)
    assert not any(_of(one.name) for one in ours)
    theirs = [one for one in STATEMENTS if one.paper in (PAPER_X, PAPER_KB)]
    assert len(theirs) + len(ours) == len(STATEMENTS)


def test_value_interval_and_parts_are_of_the_corrected_difference() -> None:
    """By hand: leave each task out of its category, which keeps its weight."""
    ends = sorted(_by_hand(one) for one in TaskArrangement)
    alone, added = _one("category_over_method", "alone"), _one("category_over_method", "added")
    assert alone.value == pytest.approx(100.0 * sum(ends) / 2.0)
    assert f"between {100 * ends[0]:.3g} and {100 * ends[1]:.3g}" in alone.note
    for one in (alone, added):
        assert one.value == pytest.approx(one.first - one.second)
        assert one.low < 0.0 < one.value < one.high
        assert one.verdict is ClaimVerdict.UNKNOWN, "which tasks were solved is not published"


def test_the_printed_deviances_stand_beside_it_and_are_not_the_value() -> None:
    alone, added = _one("category_over_method", "alone"), _one("category_over_method", "added")
    assert (alone.unit, added.unit) == ("points", "log likelihood")
    assert (alone.printed_first, alone.printed_second) == (9.4, 3.3)
    assert (added.printed_first, added.printed_second) == (34.6, 13.0)
    for one in (alone, added):
        assert one.printed_first is not None and one.printed_second is not None
        assert one.value < 0.8 * (one.printed_first - one.printed_second), "corrected is less"


def _by_hand(arrangement: TaskArrangement) -> float:
    """Share of category less share of method, corrected by the jackknife of tasks."""
    hits: dict[tuple[str, str], list[tuple[str, float]]] = defaultdict(list)
    for one in attempts(arrangement):
        if one.method != NEAR_ZERO:
            hits[one.category, one.task].append((one.method, float(one.correct)))
    many = Counter(category for category, _ in hits)
    whole, bias = _share_gap(hits, dict.fromkeys(hits, 1.0)), 0.0
    for category, task in hits:
        n = many[category]
        weights = {key: n / (n - 1) if key[0] == category else 1.0 for key in hits}
        weights[category, task] = 0.0
        bias += (_share_gap(hits, weights) - whole) * (n - 1) / n
    return whole - bias


def _share_gap(
    hits: dict[tuple[str, str], list[tuple[str, float]]], weights: dict[tuple[str, str], float]
) -> float:
    """The fall of deviance by category less that by method, over the whole deviance."""
    groups: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for (category, task), tries in hits.items():
        weight = weights[category, task]
        for method, hit in tries:
            for name in ("", f"category {category}", f"method {method}"):
                groups[name][0] += weight * hit
                groups[name][1] += weight
    left: dict[str, float] = defaultdict(float)
    for name, (right, n) in groups.items():
        parts = [count for count in (right, n - right) if count > 0]
        left[name.partition(" ")[0]] -= 2.0 * sum(one * math.log(one / n) for one in parts)
    return (left["method"] - left["category"]) / left[""]


def test_the_share_of_what_ran_is_halfway_between_the_extremes() -> None:
    by_hand = []
    for arrangement in TaskArrangement:
        ran: dict[str, list[bool]] = defaultdict(list)
        for tried in attempts(arrangement):
            if tried.outcome != "broken" and tried.method != NEAR_ZERO:
                ran[tried.task].append(tried.outcome == "correct")
        by_hand.append(100.0 * sum(sum(hits) / len(hits) for hits in ran.values()) / len(ran))
    one = _one("compile_not_correct")
    assert one.value == pytest.approx(sum(by_hand) / 2.0)
    assert one.low < min(by_hand) < one.value < max(by_hand) < one.high
    assert (one.first, one.second, one.n) == (142, 342, 342)
    assert "41.5 of all kernels together" in one.note and abs(one.value - 41.5) > 1.0


def test_shares_of_tasks() -> None:
    fusion, zero = _one("fusion_unsolved"), _one("quantization_zero")
    assert (fusion.first, fusion.second, fusion.n) == (43, 60, 60)
    assert fusion.verdict is ClaimVerdict.HOLDS and fusion.low > 50.0
    assert (zero.first, zero.second, zero.n) == (0.0, 30.0, 30)
    assert zero.verdict is ClaimVerdict.UNKNOWN and zero.high > 20.0, "six tasks are few"


@pytest.mark.parametrize(("claim", "value"), [("slower_than_eager", 46.6), ("portability", 2.15)])
def test_what_has_no_n_has_no_interval(claim: str, value: float) -> None:
    one = _one(claim)
    assert (one.value, one.n) == (value, None)
    assert math.isnan(one.low) and math.isnan(one.high)
    assert one.verdict is ClaimVerdict.UNKNOWN and one.statement.lacks


def test_rescued_and_persistent() -> None:
    first, second = _of("rescued_slower")
    assert [first.first, second.first] == pytest.approx([1.158, 1.315], abs=5e-4)
    assert [first.second, second.second] == [1.58, 1.46]
    assert [first.n, second.n] == [15, 7] and "of 8" in second.of
    for one in (first, second):
        assert math.isnan(one.low) and one.value < 1.0
        assert one.verdict is ClaimVerdict.UNKNOWN, "persistent kernels have no single values"


def test_refinement_repairs_and_by_how_many() -> None:
    whole = _one("refinement_repairs", "0 to 2")
    assert [whole.first, whole.second] == pytest.approx([18.2, 30.7], abs=0.05)
    assert whole.value == pytest.approx(12.5) and whole.verdict is ClaimVerdict.HOLDS
    steps = [_one("refinement_repairs", word) for word in ("0 to 1", "1 to 2")]
    assert [(one.first, one.second, one.value) for one in steps] == [(15, 0, 15), (8, 1, 7)]


def test_gains_of_the_kernels_that_gained_bound_those_of_all() -> None:
    for one in _of("refinement_no_speedup"):
        assert math.isnan(one.value) and one.low < one.first < one.high, "not of all kernels"
        assert one.low == 0.0 and one.high < 1.01
        assert one.verdict is ClaimVerdict.HOLDS and "upper bound" in one.note


def test_what_kernelbench_prints() -> None:
    samples = _one("gain_by_samples")
    assert (samples.printed_first, samples.printed_second, samples.n) == (4, 37, 100)
    assert samples.value == pytest.approx(33.0) and samples.verdict is ClaimVerdict.HOLDS
    turns = [_one("gain_by_turns", f"R1, level {level}") for level in (1, 2)]
    printed = [(one.printed_first, one.printed_second) for one in turns]
    assert printed == [(12, 43), (36, 72)]
    best = _one("under_20_percent", "R1")
    assert best.value == pytest.approx(19.6) and best.verdict is ClaimVerdict.UNKNOWN
    assert _one("under_20_percent", "GPT-4o").verdict is ClaimVerdict.HOLDS
    told = _one("gain_by_execution_feedback", "R1")
    assert (told.n, told.verdict) == (250, ClaimVerdict.HOLDS)
    assert _one("gain_by_profile", "R1").verdict is ClaimVerdict.UNKNOWN


@pytest.mark.parametrize("claim", ["examples_do_not_help", "hardware_facts_help_little"])
def test_where_no_number_is_printed_none_is_given(claim: str) -> None:
    one = _one(claim)
    assert math.isnan(one.value) and one.n is None and one.verdict is ClaimVerdict.UNKNOWN
    assert "no number" in one.note
