"""KernelBench's printed numbers as counts with intervals."""

from typing import Any

import pytest

from kernelbenchx.analysis.published_kernelbench import ANALYSES, count_from_percent, tables


def _rows(name: str) -> list[dict[str, Any]]:
    (table,) = [one for one in tables() if one.name == name]
    return [dict(row) for row in table.records()]


def test_table_1_has_every_model_and_level() -> None:
    rows = _rows("kernelbench_one_attempt")
    assert len(rows) == 7 * 3
    found = {(row["model"], row["level"]): row for row in rows}
    row = found["DeepSeek R1", 2]
    assert (row["beaten"], row["problems"], row["share"]) == (36, 100, 0.36)
    assert row["share_low"] < 0.36 < row["share_high"]
    assert (found["o1", 3]["beaten"], found["o1", 3]["problems"]) == (6, 50)


def test_feedback_and_samples_are_as_printed() -> None:
    told = {
        (row["model"], row["level"], row["feedback"]): row["printed"]
        for row in _rows("kernelbench_feedback")
    }
    assert [told["DeepSeek R1", 2, kind] for kind in ("G", "G+E", "G+E+P")] == [0.44, 0.62, 0.72]
    assert told["Llama 3.1-70B", 3, "G+E"] == 0.08
    drawn = {(row["model"], row["level"], row["k"]): row for row in _rows("kernelbench_sampling")}
    ends = [drawn["DeepSeek V3", 2, k]["printed"] for k in (1, 10, 100)]
    assert ends == [0.04, 0.14, 0.37]


def test_a_percentage_that_is_no_whole_problem_has_no_count_and_no_interval() -> None:
    assert (count_from_percent(12, 3), count_from_percent(1, 1), count_from_percent(1, 3)) == (
        6,
        1,
        None,
    )
    (row,) = [one for one in _rows("kernelbench_sampling") if one["beaten"] is None]
    assert (row["model"], row["level"], row["printed"]) == ("Llama 3.1-70B", 3, 0.01)
    assert row["share"] is row["share_low"] is row["share_high"] is None


def test_two_gpus() -> None:
    shares = {row["on"]: row["share"] for row in _rows("kernelbench_gpus")}
    assert shares == {"L40S": 0.36, "A10G": pytest.approx(0.47)}


def test_only_what_was_asked_about() -> None:
    assert [one.name for one in tables(("hardware",))] == ["kernelbench_gpus"]
    assert tables(("rates",)) == []
    assert set(ANALYSES) == {"levels", "iterations", "hardware"}
