"""Tables about cost."""

import math
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from asked_runs import write_asked_run
from kernelbenchx.analysis.cost import tables
from kernelbenchx.analysis.table import Value
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.spending import read_spending


def _records(*runs: Path) -> dict[str, list[dict[str, Value]]]:
    attempts = read_attempts(runs)
    found = tables(attempts, read_spending(runs, attempts))
    return {one.name: one.records() for one in found}


PLAN = {"math/add": 1, "math/div": 2, "reduce/sum": 3, "math/log1p": 0}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Value]]]:
    return _records(write_asked_run(tmp_path_factory.mktemp("run"), PLAN))


def test_everything_is_added_up(found: dict[str, list[dict[str, Value]]]) -> None:
    assert found["cost"] == [
        {
            "gpu": "interpreter",
            "method": "refine",
            "tasks": 4,
            "attempts": 9,
            "requests": 9,
            "unanswered": 0,
            "prompt_tokens": 540,
            "cached_tokens": 180,
            "completion_tokens": 360,
            "dollars": 2.25,
        }
    ]


def test_what_nobody_saw_the_end_of_is_said_and_in_no_row(tmp_path: Path) -> None:
    run = write_asked_run(tmp_path, PLAN)
    attempts = read_attempts([run])
    (one,) = read_spending([run], attempts)
    before = tables(attempts, [one])[0]
    after = tables(attempts, [replace(one, lost=36_436)])[0]
    assert before.rows == after.rows and before.notes == ()
    assert len(after.notes) == 1 and after.notes[0].startswith("At most 36,436 tokens more were")


def test_requests_without_a_verdict_are_counted(tmp_path: Path) -> None:
    run = write_asked_run(tmp_path, PLAN)
    asked = [replace(one, attempts=[]) for one in read_spending([run], [])]
    (row,) = tables([], asked)[0].records()
    assert (row["attempts"], row["requests"], row["prompt_tokens"]) == (0, 9, 540)


def test_until_solved_is_about_solved_tasks_and_has_an_interval(
    found: dict[str, list[dict[str, Value]]],
) -> None:
    (row,) = found["cost_to_solve"]
    assert (row["tasks"], row["solved"], row["mixed"]) == (4, 3, 0)
    assert (row["attempts"], row["tokens"], row["dollars"]) == (2.0, 200.0, 0.5)
    width = 4.302652729911275 / math.sqrt(3)  # Student's quantile for three tasks
    assert row["attempts_high"] == pytest.approx(2 + width)
    assert 2 - width < 0.0 and row["attempts_low"] == 1.0, "a solved task took one attempt"
    assert row["tokens_low"] == 0.0, "less than nothing is not possible"


def test_cost_per_solved_task_counts_those_that_failed_too(
    found: dict[str, list[dict[str, Value]]],
) -> None:
    (row,) = found["cost_per_solved"]
    assert (row["requests"], row["tokens"], row["dollars"]) == (3.0, 300.0, 0.75)
    assert row["attempts"] == 3.0
    low, high = row["tokens_low"], row["tokens_high"]
    assert isinstance(low, float) and isinstance(high, float) and low < 300 < high
    assert low * high == pytest.approx(300.0**2)


def test_no_task_is_solved_with_less_than_one_attempt(tmp_path: Path) -> None:
    """Four solved at once, one after five: on logarithms the low end would be below one."""
    plan = {"math/add": 1, "math/div": 1, "reduce/sum": 1, "math/log1p": 1, "math/abs": 3}
    found = _records(write_asked_run(tmp_path, plan))
    (until,), (each,) = found["cost_to_solve"], found["cost_per_solved"]
    assert (until["attempts"], until["attempts_low"]) == (1.4, 1.0)
    ends = [float(each[f"attempts{end}"] or 0) for end in ("_low", "", "_high")]
    assert ends == sorted(ends) and ends[0] == 1.0 < ends[1]


def test_every_task_has_its_row(found: dict[str, list[dict[str, Value]]]) -> None:
    rows = {row["task"]: row for row in found["cost_tasks"]}
    assert rows.keys() == PLAN.keys()
    assert rows["math/div"]["solved"] is True and rows["math/div"]["tokens_to_solve"] == 200
    assert rows["math/log1p"]["solved"] is False and rows["math/log1p"]["tokens"] == 300
    assert rows["math/log1p"]["attempts_to_solve"] is None


def test_tasks_that_only_torch_and_triton_together_solve_are_counted_apart(tmp_path: Path) -> None:
    run = write_asked_run(tmp_path, PLAN)
    attempts = [
        msgspec.structs.replace(one, composition="mixed")
        if one.task in ("math/add", "math/log1p")  # the second has no correct one
        else one
        for one in read_attempts([run])
    ]
    found = {one.name: one.records() for one in tables(attempts, read_spending([run], attempts))}
    for name in ("cost_to_solve", "cost_per_solved"):
        assert [(row["solved"], row["mixed"]) for row in found[name]] == [(3, 1)]


def test_nothing_solved_has_no_price(tmp_path: Path) -> None:
    found = _records(write_asked_run(tmp_path, {"math/add": 0}))
    assert found["cost_per_solved"][0]["tokens"] is None
    assert found["cost_to_solve"][0]["attempts"] is None
    assert found["cost"][0]["dollars"] == 0.75


def test_one_task_says_nothing_of_others(tmp_path: Path) -> None:
    (row,) = _records(write_asked_run(tmp_path, {"math/add": 2}))["cost_per_solved"]
    assert (row["tokens"], row["tokens_low"]) == (200.0, None)


def test_without_prices_there_are_tokens_only(tmp_path: Path) -> None:
    found = _records(write_asked_run(tmp_path, PLAN, cost=None))
    assert found["cost"][0]["dollars"] is None
    assert found["cost_per_solved"][0]["dollars"] is None
    assert {row["unit"] for row in found["cost_curve"]} == {"tokens"}


def test_a_task_with_an_unknown_price_is_in_no_sum_of_dollars_and_that_is_said(
    tmp_path: Path,
) -> None:
    runs = [
        write_asked_run(tmp_path / "a", {"math/add": 1, "math/div": 2}),
        write_asked_run(tmp_path / "b", {"reduce/sum": 2}, cost=None),
    ]
    attempts = read_attempts(runs)
    found = {one.name: one for one in tables(attempts, read_spending(runs, attempts))}
    said = ("1 of 3 tasks without a price: not in what is said of dollars.",)
    for name in ("cost", "cost_to_solve", "cost_per_solved", "cost_curve"):
        assert found[name].notes == said
    (row,) = found["cost"].records()
    assert (row["requests"], row["dollars"]) == (5, 0.75)
    (row,) = found["cost_per_solved"].records()
    assert (row["solved"], row["attempts"], row["dollars"]) == (3, 5 / 3, 0.375)


def test_methods_are_apart(tmp_path: Path) -> None:
    first = write_asked_run(tmp_path / "a", PLAN)
    second = write_asked_run(tmp_path / "b", PLAN, method="other")
    found = _records(first, second)
    assert [row["method"] for row in found["cost"]] == ["other", "refine"]


def test_without_a_model_every_table_is_empty_and_one_says_why() -> None:
    assert all(not one.rows for one in tables([], []))
    assert tables([], [])[0].notes == ("These runs asked no model.",)
