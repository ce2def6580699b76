"""Decomposed means, changes beyond noise and the floor, as tables."""

import math
from typing import Any

import pytest

from attempts_made import made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.lineages import build_lineages
from kernelbenchx.analysis.noise import noise_of
from kernelbenchx.analysis.speed_changes import changes, decompositions, noise_floor
from kernelbenchx.analysis.table import Table

GIVEN: list[Attempt] = [
    made("a", 2.0, round=0, digest="a"), made("a", 2.02, round=1, digest="a"),
    made("b", 1.0, round=0, digest="b"), made("b", 1.01, round=1, digest="b"),
    made("c", 1.0, round=0), made("c", 1.5, round=1),
    wrong("d", round=0), made("d", 0.25, round=1),
    made("e", 4.0, round=0), wrong("e", round=1),
]  # fmt: skip


def _rows(table: Table) -> list[dict[str, Any]]:
    assert len({column.key for column in table.columns}) == len(table.columns)
    return table.records()


def _parts(attempts: list[Attempt]) -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = {"log": {}, "plain": {}}
    for row in _rows(decompositions(build_lineages(frame_of(attempts)), ())):
        found[row["scale"]][row["part"]] = row
    return found


def test_both_scales_add_up_to_the_change_of_their_mean() -> None:
    for parts in _parts(GIVEN).values():
        value = {name: row["value"] for name, row in parts.items()}
        change = value["change"]
        assert change == pytest.approx(value["mean after"] - value["mean before"], abs=1e-12)
        assert change == pytest.approx(value["real"] + value["composition"], abs=1e-12)
        inner = value["composition: entering"] + value["composition: leaving"]
        assert value["composition"] == pytest.approx(inner, abs=1e-12)
        split = value["real: rewritten"] + value["real: measured again"]
        assert value["real"] == pytest.approx(split, abs=1e-12)
        assert parts["real"]["value_low"] < value["real"] < parts["real"]["value_high"]


def test_each_part_says_how_many_lines_are_in_it_and_what_factor_it_is() -> None:
    found = _parts(GIVEN)
    log = found["log"]
    assert {name: row["lines"] for name, row in log.items()} == {
        "mean before": 4, "mean after": 4, "change": 5, "real": 3, "real: rewritten": 1,
        "real: measured again": 2, "composition": 2, "composition: entering": 1,
        "composition: leaving": 1,
    }  # fmt: skip
    assert log["real: measured again"]["value"] == pytest.approx(2 * math.log(1.01) / 3)
    assert log["mean before"]["factor"] == pytest.approx(8 ** (1 / 4))
    assert found["plain"]["mean before"]["value"] == pytest.approx(2.0)
    assert found["plain"]["mean before"]["factor"] is None


def test_a_line_that_stands_at_one_measurement_was_not_measured_again() -> None:
    """Of four lines with the same code two were measured twice: by hand, from the rows given."""
    carried = [
        *(made(name, 3.0, round=0, digest=name) for name in "fg"),
        *(wrong(name, round=1) for name in "h"),
    ]
    copied = [made("i", 2.0, round=n, digest="i", content_key="i") for n in (0, 1)]
    log = _parts([*GIVEN, *carried, *copied])["log"]
    assert log["real: measured again"]["lines"] == 2
    assert log["real: not measured again"]["lines"] == 3, "f and g stopped, i is one measurement"
    assert log["real: not measured again"]["value"] == 0.0
    assert log["real"]["lines"] == 6 and log["real: rewritten"]["lines"] == 1
    assert log["real: measured again"]["value"] == pytest.approx(2 * math.log(1.01) / 6)
    assert "real: not measured again" not in _parts(GIVEN)["log"]


def test_without_a_line_in_both_rounds_nothing_is_decomposed() -> None:
    given = [made("a", 2.0, round=0), wrong("a", round=1), made("b", 1.0, round=1)]
    log = _parts(given)["log"]
    assert list(log) == ["mean before", "mean after"]
    assert log["mean before"]["factor"] == pytest.approx(2.0)


def test_only_rewritten_code_counts_as_changed_and_only_beyond_the_floor() -> None:
    found = build_lineages(frame_of(GIVEN))
    (row,) = _rows(changes(found, noise_of(GIVEN), ()))
    assert (row["kept"], row["same_code"]) == (3, 2)
    assert row["floor"] == pytest.approx(0.01)
    assert (row["faster"], row["slower"]) == (1.0, 0.0)
    (without,) = _rows(changes(found, {}, ()))
    assert without["floor"] is None and without["faster"] is None


def test_the_floor_in_shares() -> None:
    (row,) = _rows(noise_floor(noise_of(GIVEN)))
    assert (row["gpu"], row["kernels"], row["changes"], row["elsewhere"]) == ("card", 2, 2, 0)
    assert (row["median"], row["floor"], row["most"]) == pytest.approx((0.01, 0.01, 0.01))
    assert noise_floor({}).rows == ()
