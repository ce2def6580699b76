"""GEAK's kernels one by one give the printed means, and intervals around them."""

from typing import Any

import pytest

from kernelbenchx.analysis.published_checks import text
from kernelbenchx.analysis.published_corpus import RISEN
from kernelbenchx.analysis.published_data import TRANSITIONS
from kernelbenchx.analysis.published_kernels import tabulate_gains, tabulate_rescued
from kernelbenchx.analysis.table import Table


def _rows(table: Table) -> list[dict[str, Any]]:
    return [dict(row) for row in table.records()]


def test_the_kernels_give_the_printed_means_of_the_rescued() -> None:
    rows = [row for row in _rows(tabulate_rescued()) if row["group"] == "rescued"]
    assert [(row["correct"], row["kernels"]) for row in rows] == [(15, 15), (8, 7)]
    for row in rows:
        assert row["mean"] == pytest.approx(row["printed"], abs=0.006)
        assert row["speedup_low"] < row["speedup"] < row["mean"] < row["speedup_high"]


def test_persistent_means_are_as_printed_and_have_no_interval() -> None:
    table = tabulate_rescued()
    rows = [row for row in _rows(table) if row["group"] == "persistent"]
    assert [(row["correct"], row["kernels"]) for row in rows] == [(32, 24), (46, 19)]
    assert [row["printed"] for row in rows] == [1.58, 1.46]
    for row in rows:
        known = [key for key, value in row.items() if value is not None]
        assert known == ["rounds", "group", "correct", "kernels", "printed"]


def test_the_counts_that_are_told_are_those_of_the_corpus() -> None:
    told = [f"{len(RISEN[one])} of {TRANSITIONS[one].persistent}" for one in TRANSITIONS]
    assert told == ["24 of 32", "19 of 46"]
    assert " and ".join(told) in tabulate_rescued().notes[0]


def test_rescued_kernels_have_both_means_and_their_intervals() -> None:
    first, second = (row for row in _rows(tabulate_rescued()) if row["group"] == "rescued")
    assert first["mean"] == pytest.approx(1.1582, abs=5e-4)
    assert second["mean"] == pytest.approx(1.3153, abs=5e-4)
    for row in (first, second):
        assert row["speedup"] < 1.0 < row["mean"]
        assert row["mean_low"] < row["mean"] < row["mean_high"]


def test_gains_are_of_the_size_of_repeated_measurements() -> None:
    for row in _rows(tabulate_gains()):
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
