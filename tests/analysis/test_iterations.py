"""Rounds as a whole, and the published example: a mean that falls though nobody slows down."""

from collections.abc import Sequence
from typing import Any

import pytest

from attempts_made import broken, made, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.iterations import tables


def _table(attempts: Sequence[Attempt], name: str) -> list[dict[str, Any]]:
    (found,) = [one for one in tables(attempts) if one.name == name]
    return found.records()


def _published() -> list[Attempt]:
    """As many lines as published: 32 right at first, 15 rescued, then 8 more and one lost."""
    given: list[Attempt] = []
    for number in range(176):
        task = f"t{number:03d}"
        for turn in range(3):
            right = number < (32, 47, 55)[turn] and not (turn == 2 and number == 0)
            called = right or number < (92, 114, 121)[turn]
            if right:
                over = 1.58 if number < 32 else 1.158 if number < 47 else 1.315
                given.append(made(task, over, round=turn, digest=task))
            else:
                given.append((wrong if called else broken)(task, round=turn))
    return given


def test_the_published_counts_come_out() -> None:
    rows = _table(_published(), "rounds")
    assert [(row["round"], row["tasks"], row["carried"]) for row in rows] == [
        (0, 176, 0),
        (1, 176, 0),
        (2, 176, 0),
    ]
    assert [round(176 * row["called"]) for row in rows] == [92, 114, 121]
    assert [round(176 * row["correct"]) for row in rows] == [32, 47, 54]
    plain = wilson(54, 176)
    assert (rows[2]["correct_low"], rows[2]["correct_high"]) == pytest.approx(
        (plain.low, plain.high)
    )
    steps = {
        (row["before"], row["group"]): row["lines"] for row in _table(_published(), "transitions")
    }
    assert (steps[0, "rescued"], steps[0, "persistent"], steps[0, "regressed"]) == (15, 32, 0)
    assert (steps[1, "rescued"], steps[1, "persistent"], steps[1, "regressed"]) == (8, 46, 1)


def test_the_mean_falls_by_composition_alone() -> None:
    means = [row["mean"] for row in _table(_published(), "round_speed")]
    assert means[0] > means[1] > means[2]
    rows = _table(_published(), "decomposition")
    parts = {(row["scale"], row["before"], row["part"]): row["value"] for row in rows}
    for scale, before in {(row["scale"], row["before"]) for row in rows}:
        change = parts[scale, before, "change"]
        assert parts[scale, before, "real"] == pytest.approx(0, abs=1e-12)
        assert parts[scale, before, "composition"] == pytest.approx(change, abs=1e-12)
        assert change < 0


def test_void_ones_are_named_and_a_stopped_line_is_carried() -> None:
    given = [made("a", 2.0, round=0), wrong("b", round=0), made("b", 1.0, round=1),
             void("a", round=1)]  # fmt: skip
    found = tables(given)
    assert found[0].notes == ("1 void: not judged, not counted.",)
    first, second = _table(given, "rounds")
    assert (first["correct"], second["correct"]) == (0.5, 1.0)
    assert (first["carried"], second["carried"]) == (0, 1)


def test_mixed_kernels_are_named_and_their_speed_stands_apart() -> None:
    given = [made("a", 2.0, round=0), made("a", 4.0, round=1, composition="mixed")]
    assert [row["mixed"] for row in _table(given, "rounds")] == [0, 1]
    rows = _table(given, "round_speed")
    assert [(row["composition"], row["round"], row["kernels"], row["speedup"]) for row in rows] == [
        ("pure", 0, 1, pytest.approx(2.0)),
        ("pure", 1, 0, None),
        ("pure or mixed", 0, 1, pytest.approx(2.0)),
        ("pure or mixed", 1, 1, pytest.approx(4.0)),
    ]


def test_a_single_round_has_nothing_to_follow_but_may_have_noise() -> None:
    given = [made("a", 1.0, run="1", key="1"), made("a", 1.1, run="2", key="2")]
    assert _table(given, "rounds") == [] and _table(given, "decomposition") == []
    (noise,) = _table(given, "noise")
    assert (noise["elsewhere"], noise["most"]) == (1, pytest.approx(0.1))
    assert "No method of these runs tried again in a later round." in tables(given)[0].notes
    again = [made("a"), made("a", round=1)]
    assert "No method of these runs tried again in a later round." not in tables(again)[0].notes


def test_nothing_gives_tables_without_rows() -> None:
    assert all(one.rows == () for one in tables([]))


def test_without_times_only_rates_and_transitions_have_rows() -> None:
    given = [broken("a", round=0), made("a", round=1), made("b", round=0), made("b", round=1)]
    there = ["rounds", "candidates", "transitions", "within_turns"]
    assert [one.name for one in tables(given) if one.rows] == there
    timed = [broken("a", round=0), made("a", 2.0, round=1)]
    assert "round_speed" in [one.name for one in tables(timed) if one.rows]
