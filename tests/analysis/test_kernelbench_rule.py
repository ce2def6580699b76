"""KernelBench's rule beside ours: to whom it was applied, what passes, and who is lucky."""

from typing import Any

import pytest

from attempts_made import broken, made, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.levels import tables
from kernelbenchx.analysis.table import Table
from kernelbenchx.core.grades import Grade

BOTH = {"passes_1e_2": True, "passes_1e_4": True}
LOOSE = {"passes_1e_2": True, "passes_1e_4": False}
NEITHER = {"passes_1e_2": False, "passes_1e_4": False}
AT_SCALE: dict[str, Any] = {
    "performance": "failed",
    "reason": "timed_wrong",
    "detail": "y[3] is 1, expected 2",
}
GIVEN = [
    made("level1/a", 2.0, level=1, **BOTH),
    made("level1/b", level=1, submission="b", **AT_SCALE, **LOOSE),
    made("level1/c", level=1, **AT_SCALE, **NEITHER),
    wrong("level1/d", level=1),
    broken("level1/e", level=1),
    made("level2/a", 2.0, level=2, **LOOSE),
]


def _named(attempts: list[Attempt], name: str) -> Table:
    (found,) = [one for one in tables(attempts) if one.name == name]
    return found


def _rule(attempts: list[Attempt]) -> dict[Any, dict[str, Any]]:
    return {row["level"]: row for row in _named(attempts, "kernelbench_rule").records()}


def test_both_rules_over_the_attempts_that_theirs_was_applied_to() -> None:
    row = _rule(GIVEN)[1]
    assert (row["applied"], row["not_applied"], row["lucky"]) == (3, 2, 1)
    shares = row["passes_1e_2"], row["passes_1e_4"], row["correct"]
    assert shares == pytest.approx((2 / 3, 1 / 3, 1 / 3))
    plain = wilson(2, 3)
    assert (row["passes_1e_2_low"], row["passes_1e_2_high"]) == pytest.approx(
        (plain.low, plain.high)
    )


def test_levels_are_apart_and_correct_ones_are_not_lucky() -> None:
    row = _rule(GIVEN)[2]
    assert (row["applied"], row["not_applied"], row["lucky"]) == (1, 0, 0)
    assert (row["passes_1e_2"], row["passes_1e_4"], row["correct"]) == (1.0, 0.0, 1.0)


def test_a_lucky_kernel_is_listed_with_the_reason_of_our_verdict() -> None:
    (row,) = _named(GIVEN, "lucky").records()
    keys = ("level", "method", "problem", "submission", "passes_1e_4", "reason", "detail")
    assert [row[key] for key in keys] == [
        *(1, "m", "level1/b", "b", False),
        *(AT_SCALE["reason"], AT_SCALE["detail"]),
    ]
    assert row["verdict"] == GIVEN[1].verdict != "correct"


def test_without_it_nothing_is_lucky_and_it_is_said_that_it_was_not_applied() -> None:
    given = [made("level1/a", level=1), wrong("level1/b", level=1)]
    assert _named(given, "lucky").rows == _named(given, "kernelbench_rule").rows == ()
    assert "applied to no attempt" in _named(given, "kernelbench_rule").notes[-1]
    assert not any("applied to no attempt" in note for note in _named(GIVEN, "lucky").notes)


def test_a_wrong_kernel_that_passes_an_untimed_call_is_lucky() -> None:
    given = [
        *GIVEN,
        wrong("level1/f", level=1, submission="f", reason="bad_values", detail="off", **BOTH),
        broken("level1/g", level=1, submission="g", **NEITHER),
    ]
    row = _rule(given)[1]
    assert (row["applied"], row["not_applied"], row["lucky"]) == (5, 2, 2)
    listed = {one["submission"]: one for one in _named(given, "lucky").records()}
    assert listed.keys() == {"b", "f"}
    assert [listed["f"][key] for key in ("verdict", "reason", "detail")] == [
        *("wrong", "bad_values", "off")
    ]


def test_why_it_could_not_be_applied_is_said_with_counts() -> None:
    short = {"rule_unknown": "no memory left"}
    given = [wrong(f"level1/{name}", level=1, **short) for name in "pq"]
    notes = _named([*GIVEN, *given], "kernelbench_rule").notes
    said = "KernelBench's rule could not be applied to 2 attempts: no memory left"
    assert notes[-1] == said
    assert said not in _named(GIVEN, "kernelbench_rule").notes


def test_void_attempts_and_unsound_problems_are_in_neither() -> None:
    more = [
        void("level1/f", level=1, **BOTH),
        made("level1/g", level=1, grade=Grade.UNSOUND, **AT_SCALE, **BOTH),
    ]
    assert _rule([*GIVEN, *more]) == _rule(GIVEN)
    assert _named([*GIVEN, *more], "lucky").rows == _named(GIVEN, "lucky").rows
