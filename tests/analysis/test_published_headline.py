"""What the paper is known for, with the numbers that its words stand for."""

from typing import Any

import pytest

from kernelbenchx.analysis.published_headline import headline, wording
from kernelbenchx.analysis.table import Table


def _rows(table: Table) -> list[dict[str, Any]]:
    return [dict(row) for row in table.records()]


def test_four_methods_come_first_and_the_fifth_turns_the_answer() -> None:
    printed, held, plain, held_five, plain_five = _rows(headline())
    assert [row["ahead"] for row in (printed, held, plain)] == ["category"] * 3
    assert [row["ahead"] for row in (held_five, plain_five)] == ["method"] * 2
    assert 100 * held["category"] == pytest.approx(9.42, abs=0.005)
    assert 100 * held["method"] == pytest.approx(3.31, abs=0.005)
    assert (held["n"], held_five["n"]) == (704, 880)
    assert 100 * plain_five["method"] == pytest.approx(12.01, abs=0.005)


def test_the_fifth_method_has_two_names() -> None:
    said = headline().notes[0]
    assert "two names" in said and "KernelLLM" in said and "DeepSeek-Coder" in said


def test_solved_by_one_method_is_not_the_mean_rate() -> None:
    none, any_method, four, five = (row for row in _rows(wording()) if row["category"] == "Fusion")
    assert (none["hits"], none["n"], any_method["hits"]) == (43, 60, 17)
    assert (four["hits"], four["n"], five["n"]) == (26, 240, 300)
    assert four["value"] == pytest.approx(0.108, abs=5e-4)
    assert five["value"] == pytest.approx(0.087, abs=5e-4)


def test_math_solved_is_a_third_to_a_half_by_method() -> None:
    least, most, four, five = (row for row in _rows(wording()) if row["category"] == "Math")
    assert (least["value"], most["value"]) == (pytest.approx(0.306, abs=5e-4), 0.5)
    assert (four["value"], five["value"]) == (
        pytest.approx(0.403, abs=5e-4),
        pytest.approx(0.322, abs=5e-4),
    )
    for row in (least, most, four, five):
        assert row["value_low"] < row["value"] < row["value_high"]
    # Attempts at one task are not independent: as many draws as tasks, not as attempts.
    assert four["value_high"] - four["value_low"] > 0.2
