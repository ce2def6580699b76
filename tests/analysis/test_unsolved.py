"""Tasks that nothing solves, beside what chance would give."""

from math import comb
from typing import Any

import pytest

from attempts_made import broken, made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.unsolved import ALL, tables


def _records(attempts: list[Attempt], number: int = 0) -> list[dict[str, Any]]:
    return [dict(row) for row in tables(attempts)[number].records()]


def _all_of_one_category() -> list[Attempt]:
    """Ten tasks of two categories; all of the one are solved, none of the other, by two methods."""
    found = []
    for number in range(10):
        hard = number < 5
        for method in ("a", "b"):
            given: dict[str, Any] = {"method": method, "category": "Fusion" if hard else "Math"}
            found.append((wrong if hard else made)(f"t/{number}", **given))
    return found


def test_a_task_counts_as_solved_by_any_method_sample_or_round() -> None:
    given = [
        wrong("t/1", method="a"), made("t/1", method="b"),
        wrong("t/2", round=0), made("t/2", round=1), wrong("t/2", round=2),
        wrong("t/3"), broken("t/3", method="b"),
    ]  # fmt: skip
    rows = {row["category"]: row for row in _records(given)}
    assert (rows[ALL]["tasks"], rows[ALL]["unsolved"], rows[ALL]["methods"]) == (3, 1, 3)
    (listed,) = _records(given, 1)
    assert (listed["task"], listed["methods"], listed["attempts"]) == ("t/3", 2, 2)
    assert (listed["furthest"], listed["cause"], listed["of"]) == ("runs", "values", 1)


def test_a_category_that_fails_as_a_whole_is_beyond_chance_and_exact() -> None:
    rows = {row["category"]: row for row in _records(_all_of_one_category())}
    assert (rows["Fusion"]["share"], rows["Math"]["share"]) == (1.0, 0.0)
    assert rows["Fusion"]["chance"] == rows["Math"]["chance"] == 0.5
    assert rows["Fusion"]["p"] == pytest.approx(2 / comb(10, 5))
    assert rows["Fusion"]["adjusted"] == pytest.approx(4 / comb(10, 5))
    assert rows["Fusion"]["chance_low"] >= 0.2 and rows["Fusion"]["chance_high"] <= 0.8


def test_methods_that_fail_at_the_same_tasks_leave_more_than_chance_and_others_do_not() -> None:
    rows = {row["category"]: row for row in _records(_all_of_one_category())}
    assert rows[ALL]["share"] == 0.5
    assert rows[ALL]["chance"] == pytest.approx(0.25, abs=0.02)
    assert rows[ALL]["p"] < 0.05
    apart = [
        (made if (number < 5) == (method == "a") else wrong)(f"t/{number}", method=method)
        for number in range(10)
        for method in ("a", "b")
    ]
    (whole, *_) = _records(apart)
    assert whole["unsolved"] == 0 and whole["chance"] > 0.2


def test_where_all_is_solved_it_says_so() -> None:
    found = tables([made("t/1"), made("t/2")])
    assert not found[1].rows and "Every task was solved" in found[1].notes[-1]
    assert found[0].rows[0][4] == 0
    assert all(not one.rows for one in tables([]))
    assert tables([made("t/1", outcome="reached")])[0].notes == ("Nothing was judged.",)
    (note,) = tables([made("t/1", run="published")])[0].notes
    assert "43 of 60" in note, "the paper names no task"
