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


@pytest.mark.parametrize("by_run", [False, True])
def test_sides_on_two_gpus_are_two_sides_that_are_not_compared(by_run: bool) -> None:
    given = [
        made("t/1", 2.0, method="a", run="a", gpu="one"),
        made("t/1", 1.0, method="b", run="b", gpu="two"),
    ]
    (table, _) = tables(given, by_run=by_run)
    assert not table.rows and "a on one, b on two" in table.notes[0]
    assert "hardware" in table.notes[0] and "one side only" not in table.notes[0]


def test_the_same_method_on_two_gpus_is_on_two_sides() -> None:
    given = [made("t/1", 2.0, method="a", gpu=gpu) for gpu in ("one", "two")]
    assert "a on one, a on two" in tables(given)[0].notes[0]


def test_one_side_says_so() -> None:
    (table, _) = tables([made("t/1", 2.0, method="a")])
    assert not table.rows and "one side only" in table.notes[0]


def test_without_a_time_on_both_sides_there_is_no_share_and_no_interval() -> None:
    given = [made("t/1", 2.0, method="a"), wrong("t/1", method="b")]
    (row,) = tables(given)[0].records()
    assert row["timed"] == 0 and row["only_first"] == 1
    assert [row[f"first_faster{end}"] for end in ("", "_low", "_high")] == [None] * 3


def test_the_same_kernel_in_two_runs_stands_on_both_sides() -> None:
    same = {"submission": "s", "digest": "d"}
    given = [made("t/1", over, run=run, key=run, **same) for run, over in (("a", 1.0), ("b", 1.0))]
    (row,) = tables(given, by_run=True)[0].records()
    assert (row["tasks"], row["timed"]) == (1, 1)
