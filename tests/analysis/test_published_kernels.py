"""GEAK's kernels one by one give the printed means, and intervals around them."""

from typing import Any

import pytest

from kernelbenchx.analysis.published_checks import text
from kernelbenchx.analysis.published_kernels import rescued, risen
from kernelbenchx.analysis.table import Table


def _rows(table: Table) -> list[dict[str, Any]]:
    return [dict(row) for row in table.records()]


def test_the_kernels_give_the_printed_means_of_the_rescued() -> None:
    rows = [row for row in _rows(rescued()) if row["group"] == "rescued"]
    assert [(row["correct"], row["kernels"]) for row in rows] == [(15, 15), (8, 7)]
    for row in rows:
        assert row["mean"] == pytest.approx(row["printed"], abs=0.006)
        assert row["speedup_low"] < row["speedup"] < row["mean"] < row["speedup_high"]


def test_persistent_kernels_are_those_listed_and_that_is_said() -> None:
    table = rescued()
    rows = [row for row in _rows(table) if row["group"] == "persistent"]
    assert [(row["correct"], row["kernels"]) for row in rows] == [(32, 24), (46, 19)]
    assert "only if its speedup rose" in table.notes[0]


def test_the_difference_between_the_groups_is_not_shown_by_so_few() -> None:
    rows = [row for row in _rows(rescued()) if row["group"] == "rescued over persistent"]
    assert len(rows) == 2
    for row in rows:
        assert row["speedup_low"] < row["speedup"] < 1.0 < row["speedup_high"]
        assert row["mean"] is None


def test_gains_are_of_the_size_of_repeated_measurements() -> None:
    for row in _rows(risen()):
        assert 1.0 < row["gain_low"] < row["gain"] < row["gain_high"] < 1.01
        assert row["same_code"] > row["risen"] / 2 and row["risen"] < row["persistent"]


def test_the_text_is_held_against_the_tables() -> None:
    five, four, loss = _rows(text())
    assert (five["category"], five["n"], four["n"]) == ("Math", 180, 144)
    assert five["correct"] == pytest.approx(0.322, abs=5e-4)
    assert four["correct"] == pytest.approx(0.403, abs=5e-4)
    assert (four["least"], four["most"]) == (pytest.approx(0.306), pytest.approx(0.5))
    assert loss["category"] == "Loss" and loss["most"] == pytest.approx(0.5)
    assert [row["agree"] for row in (five, four, loss)] == ["no"] * 3
