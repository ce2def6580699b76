"""Two sides by task: which is clearly faster, and which alone solves."""

from typing import Any

import pytest

from attempts_made import made, speed, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.comparison import tables


def _given() -> list[Attempt]:
    """`a` is twice as fast at one task, half as fast at another, alone at a third."""
    over = {"t/1": (2.0, 1.0), "t/2": (1.0, 4.0), "t/3": (1.0, 1.2), "t/4": (1.0, None)}
    found = []
    for task, each in over.items():
        for method, factor in zip("ab", each, strict=True):
            one = {"method": method, "run": f"run {method}"}
            found.append(wrong(task, **one) if factor is None else made(task, factor, **one))
    return found


def _records(number: int, **more: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in tables(_given(), **more)[number].records()]


@pytest.mark.parametrize("by_run", [False, True])
def test_leads_are_counted_among_tasks_with_both_times(by_run: bool) -> None:
    (row,) = _records(0, by_run=by_run)
    sides = ("run a", "run b") if by_run else ("a", "b")
    assert (row["first"], row["second"]) == sides
    assert (row["tasks"], row["timed"]) == (4, 3)
    assert (row["only_first"], row["only_second"]) == (1, 0)
    assert row["first_faster"] == row["second_faster"] == pytest.approx(1 / 3)
    assert row["first_faster_low"] > 0 and row["first_faster_high"] < 1


def test_tasks_are_listed_from_the_given_ratio_on_the_largest_first() -> None:
    rows = _records(1, ratio=1.5)
    assert [(row["task"], row["faster"], row["ratio"]) for row in rows] == [
        ("t/2", "b", pytest.approx(4.0)),
        ("t/1", "a", pytest.approx(2.0)),
    ]
    assert all(row["certain"] for row in rows)
    assert [row["task"] for row in _records(1, ratio=3.0)] == ["t/2"]
    assert [row["task"] for row in _records(1, ratio=1.1)] == ["t/2", "t/1", "t/3"]


def test_a_lead_whose_interval_reaches_the_ratio_is_not_certain() -> None:
    given = [
        made("t/1", method="a", performance="timed", eager=speed(2.0, width=0.4)),
        made("t/1", method="b", performance="timed", eager=speed(1.0, width=0.01)),
    ]
    rows: list[dict[str, Any]] = [dict(one) for one in tables(given, 1.5)[1].records()]
    (row,) = rows
    assert row["ratio"] == pytest.approx(2.0) and row["certain"] is False
    assert row["ratio_low"] < 1.5 < row["ratio_high"]


def test_cards_are_not_compared_and_one_side_says_so() -> None:
    given = [made("t/1", 2.0, method="a"), made("t/1", 1.0, method="b", gpu="other")]
    found = tables(given)
    assert not found[0].rows and "one side only" in found[0].notes[0]


def test_the_same_kernel_in_two_runs_stands_on_both_sides() -> None:
    same = {"submission": "s", "digest": "d"}
    given = [made("t/1", over, run=run, key=run, **same) for run, over in (("a", 1.0), ("b", 1.0))]
    (row,) = tables(given, by_run=True)[0].records()
    assert (row["tasks"], row["timed"]) == (1, 1)
