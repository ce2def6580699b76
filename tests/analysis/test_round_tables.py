"""The first table about rounds: kernels that are kept, the last row being what `rates` says."""

from typing import Any

import pytest

from attempts_made import made, wrong
from kept_samples import RIGHT, WRONG, candidate, fast, one_of_two_solved, timed
from kernelbenchx.analysis import rates, speed
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.iterations import tables
from kernelbenchx.analysis.round_tables import of_several_rounds
from kernelbenchx.analysis.table import Table


def _records(found: list[Table], name: str) -> list[dict[str, Any]]:
    (table,) = [one for one in found if one.name == name]
    return [dict(row) for row in table.records()]


def _solved_at_once_and_never() -> list[Attempt]:
    """Fast and slow, kept and regressed, with times, a mixed one and a broken answer."""
    return [
        candidate("t/a", 0, 0, fast(2.0), right=True, **timed(1.9)),
        candidate("t/a", 1, 0, fast(3.0), right=False),
        candidate("t/b", 0, 0, WRONG, right=False),
        candidate("t/b", 1, 0, fast(1.0), right=True, **timed(0.8)),
        candidate("t/c", 0, 0, fast(5.0), right=True, **timed(5.0)),
        candidate("t/c", 1, 0, WRONG, right=False),
        candidate("t/d", 0, 0, RIGHT, right=True, **timed(1.2), composition="mixed"),
    ]


def test_a_task_solved_at_first_is_solved_after_every_round() -> None:
    found = tables(one_of_two_solved())
    assert found[0].name == "rounds"
    rows = _records(found, "rounds")
    assert [(row["round"], row["tasks"], row["lines"]) for row in rows] == [
        (0, 2, 2), (1, 2, 2), (2, 2, 2),
    ]  # fmt: skip
    assert [row["correct"] for row in rows] == [0.5, 0.5, 0.5]
    (row,) = rates.by_method(frame_of(one_of_two_solved())).records()
    assert (row["correct"], row["solved"], row["attempts"]) == (0.5, 0.5, 2)
    assert found[1].name == "candidates"
    candidates = _records(found, "candidates")
    assert [(row["attempts"], row["correct"]) for row in candidates] == [
        (8, 0.125), (8, 0.0), (8, 0.125),
    ]  # fmt: skip


def test_the_last_row_is_what_rates_and_speed_say() -> None:
    given = _solved_at_once_and_never()
    frame, rows = frame_of(given), _records(tables(given), "rounds")
    (method,) = rates.by_method(frame).records()
    spoken = speed.tables(given, (1.0,))
    by_name = {one.name: one.records() for one in spoken}
    last = rows[-1]
    assert (last["tasks"], last["lines"]) == (method["tasks"], method["attempts"]) == (4, 4)
    for what in ("called", "core", "correct"):
        for end in ("", "_low", "_high"):
            assert last[what + end] == method[what + end], what
    assert last["correct"] == 0.75 and last["mixed"] == method["mixed"] == 1
    (pure,) = [row for row in by_name["by_method"] if row["composition"] == "pure"]
    assert [last[f"speedup{end}"] for end in ("", "_low", "_high")] == [
        pure[f"speedup{end}"] for end in ("", "_low", "_high")
    ]
    assert last["timed"] == pure["kernels"] == 2
    (efficient,) = [row for row in by_name["efficiency"] if row["composition"] == "pure"]
    assert last["score"] == efficient["score"] == 0.5
    (fast_1,) = [row for row in by_name["fast_p"] if row["composition"] == "pure"]
    assert (last["fast_1"], last["fast_1_high"]) == (fast_1["share"], fast_1["share_high"])
    assert last["fast_1"] == 0.25


def test_a_curve_may_fall_where_what_a_method_saw_was_not_so() -> None:
    rows = _records(tables(_solved_at_once_and_never()), "rounds")
    assert [row["correct"] for row in rows] == [0.75, 0.75], "t/a falls, t/b rises"
    assert [row["carried"] for row in rows] == [0, 1], "t/d was not tried again"
    found = {
        row["group"]: row["lines"]
        for row in _records(tables(_solved_at_once_and_never()), "transitions")
    }
    assert found == {"rescued": 1, "persistent": 2, "regressed": 1, "unsolved": 0}


def test_fast_p_after_each_round_ends_with_that_of_speed() -> None:
    given = _solved_at_once_and_never()
    rows = _records(tables(given, thresholds=(1.0, 3.0)), "round_fast_p")
    own = {
        (row["composition"], row["round"], row["p"]): (row["share"], row["lines"]) for row in rows
    }
    assert own["pure", 0, 1.0] == (0.5, 4) and own["pure", 1, 1.0] == (0.25, 4)
    assert own["pure", 0, 3.0] == own["pure", 1, 3.0] == (0.25, 4)
    (named,) = [one for one in speed.tables(given, (1.0, 3.0)) if one.name == "fast_p"]
    for row in named.records():
        assert own[row["composition"], 1, row["p"]][0] == row["share"]


@pytest.mark.parametrize("rounds", [1, 2])
def test_only_methods_that_tried_again_are_here(rounds: int) -> None:
    once = [made("t/a", method="once"), wrong("t/b", method="once")]
    again = [made("t/a", round=turn, method="again") for turn in range(rounds)]
    found = of_several_rounds(frame_of([*once, *again]))
    assert {one.method for one in found.attempts} == ({"again"} if rounds > 1 else set())
