"""KernelBench's Tables 1 and 2 for a run, against counts by hand."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from attempts_made import broken, made, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.paper_levels import mean_ratio, tables


def _problem(name: str, over: float | None = None, **changes: Any) -> Attempt:
    return made(f"level1/{name}", over, **({"level": 1, "category": "level1"} | changes))


GIVEN = [
    _problem("a", 1.2, mean_ms=(2.0, 3.0), passes_1e_2=True),
    _problem("b", 1.004, mean_ms=(1.5, 1.5), passes_1e_2=True),
    _problem("c", performance="unmeasured", passes_1e_2=True),
    wrong("level1/d", level=1, category="level1", passes_1e_2=True),
    broken("level1/e", level=1, category="level1", passes_1e_2=False),
    void("level1/f", level=1, category="level1"),
    made("level1/a:bf16", 9.0, level=1, category="level1"),
    made("math/sub", 9.0),
]


def _records(given: Sequence[Attempt], number: int) -> list[dict[str, Any]]:
    (found,) = [one for one in tables(frame_of(given)) if one.name == f"kernelbench_table_{number}"]
    return found.records()


def _own(given: Sequence[Attempt], number: int) -> list[dict[str, Any]]:
    return [row for row in _records(given, number) if not row["source"].startswith("the paper")]


def test_fast_1_is_strictly_greater_and_of_all_problems() -> None:
    rows = {row["judged_by"]: row for row in _own(GIVEN, 1)}
    strict = rows["strict"]
    assert (strict["problems"], strict["of"], strict["level"]) == (5, 100, 1)
    # a is faster, b exactly as fast by its means, c has no trusted time, d and e fail.
    assert (strict["fast_0"], strict["fast_1"], strict["at_most"]) == (
        pytest.approx(3 / 5), pytest.approx(1 / 5), pytest.approx(2 / 5),
    )  # fmt: skip
    known = wilson(1, 5)
    assert (strict["fast_1_low"], strict["fast_1_high"]) == pytest.approx((known.low, known.high))
    assert (strict["timed"], strict["speedup"]) == (2, pytest.approx(1.5**0.5))


def test_by_their_rule_a_lucky_kernel_is_correct_and_of_unknown_speed() -> None:
    rule = {row["judged_by"]: row for row in _own(GIVEN, 1)}["the paper's rule"]
    assert (rule["fast_0"], rule["fast_1"], rule["at_most"]) == (
        pytest.approx(4 / 5), pytest.approx(1 / 5), pytest.approx(3 / 5),
    )  # fmt: skip


def test_a_ratio_is_of_means_where_there_are_samples() -> None:
    assert mean_ratio(GIVEN[0]) == 1.5 and mean_ratio(_problem("a", 1.2)) == 1.2
    assert mean_ratio(_problem("c", performance="unmeasured", mean_ms=(1.0, 2.0))) is None


def test_the_papers_rows_stand_beside_and_name_its_gpu() -> None:
    printed = [row for row in _records(GIVEN, 1) if row["source"] == "the paper, L40S"]
    (o1,) = [row for row in printed if (row["method"], row["level"]) == ("o1", 2)]
    assert (o1["fast_1"], o1["problems"], o1["fast_0"]) == (pytest.approx(0.24), 100, None)
    assert len(printed) == 7 * 3
    assert _records([made("math/sub", 2.0)], 1) == []


def test_turns_count_any_fast_kernel_among_the_first_ten() -> None:
    def turn(number: int, problem: str, over: float | None) -> Attempt:
        named = f"{problem}-{number}"
        made_so = {"submission": named, "digest": named, "key": named, "round": number}
        if over is None:
            found = wrong(f"level1/{problem}", level=1, category="level1")
            return replace(found, **made_so)
        return _problem(problem, over, **made_so)

    given = [
        turn(0, "a", None), turn(1, "a", 2.0), turn(2, "a", 0.5),
        turn(0, "b", 0.5), turn(1, "b", 0.7), turn(11, "b", 3.0),
    ]  # fmt: skip
    (row,) = _own(given, 2)
    assert (row["fast_1"], row["problems"], row["of"], row["level"]) == (0.5, 2, 100, 1)
    assert row["turns"] == 3, "the eleventh turn does not count"
    printed = [row for row in _records(given, 2) if row["source"].startswith("the paper")]
    assert len(printed) == 3 * 3 * 3
    assert {row["turns"] for row in printed} == {10}


def test_one_turn_is_no_row() -> None:
    assert _records(GIVEN, 2) == []
    (found,) = [one for one in tables(frame_of(GIVEN)) if one.name == "kernelbench_table_2"]
    assert "No method tried a problem again" in found.notes[-1]
