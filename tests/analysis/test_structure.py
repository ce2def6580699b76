import numpy as np
import pytest

from attempt_samples import attempt
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.structure import tables
from kernelbenchx.catalog.source_structure import Structure
from kernelbenchx.catalog.task_facts import task_facts


def _structure(calls: int, complexity: int = 1) -> Structure:
    return Structure(
        torch_calls=calls,
        arithmetic=1,
        intermediates=1,
        complexity=complexity,
        functions=1,
        lines=calls + 1,
        parameters=2,
    )


def _given(tasks: int = 60) -> tuple[list[Attempt], dict[str, Structure]]:
    """More calls, more failures; complexity says nothing; the number of attempts varies."""
    rng = np.random.default_rng(3)
    attempts, structures = [], {}
    for number in range(tasks):
        name, calls = f"math/t{number}", int(rng.integers(1, 10))
        structures[name] = _structure(calls, int(rng.integers(1, 10)))
        for _ in range(int(rng.integers(2, 6))):
            failed = rng.random() < calls / 10
            outcome = ("wrong" if rng.random() < 0.5 else "broken") if failed else "correct"
            attempts.append(attempt(task=name, outcome=outcome))
    return attempts, structures


def test_a_count_that_goes_with_failing_is_found_and_another_is_not() -> None:
    attempts, structures = _given()
    rows = {(r["count"], r["failure"]): r for r in tables(attempts, structures)[0].records()}
    row = rows["torch calls", "not correct"]
    assert isinstance(row["by_attempt_low"], float) and row["by_attempt_low"] > 0.2
    assert isinstance(row["by_task"], float) and row["by_task"] > float(row["by_attempt"] or 0)
    other = rows["complexity", "not correct"]
    low, high = other["by_attempt_low"], other["by_attempt_high"]
    assert isinstance(low, float) and isinstance(high, float) and low < 0 < high
    assert (row["attempts"], row["tasks"]) == (len(attempts), 60)


def test_it_is_pearsons_correlation() -> None:
    attempts, structures = _given()
    rows = {(r["count"], r["failure"]): r for r in tables(attempts, structures)[0].records()}
    x = [structures[one.task].torch_calls for one in attempts]
    y = [not one.correct for one in attempts]
    assert rows["torch calls", "not correct"]["by_attempt"] == pytest.approx(
        np.corrcoef(x, y)[0, 1]
    )


def test_wrong_answers_are_asked_of_what_runs_only() -> None:
    attempts, structures = _given()
    rows = {(r["count"], r["failure"]): r for r in tables(attempts, structures)[0].records()}
    ran = [one for one in attempts if one.outcome != "broken"]
    assert rows["torch calls", "wrong, of those that run"]["attempts"] == len(ran) < len(attempts)


def test_a_count_that_does_not_vary_has_no_correlation() -> None:
    attempts, structures = _given()
    rows = {(r["count"], r["failure"]): r for r in tables(attempts, structures)[0].records()}
    assert rows["functions", "not correct"]["by_attempt"] is None


def test_where_all_end_alike_there_is_nothing_to_correlate() -> None:
    attempts, structures = _given()
    ran = [one for one in attempts if one.outcome != "broken"]
    found = tables(ran, structures)[0]
    assert {row["failure"] for row in found.records()} == {
        "not correct",
        "wrong, of those that run",
    }
    assert len(found.notes) == 1
    right = tables([one for one in attempts if one.correct], structures)[0]
    assert right.rows == () and "end alike" in right.notes[-1]


def test_tasks_of_the_catalogue_are_counted_and_others_are_absent() -> None:
    given = [attempt(task="math/add"), attempt(task="math/nowhere"), attempt(outcome="void")]
    found = tables(given)
    assert [row["task"] for row in found[1].records()] == ["math/add"]
    assert found[0].rows == () and "1 of 3 tasks" in found[0].notes[0]


def test_operators_are_those_of_the_statement_and_stand_elsewhere() -> None:
    counts = tables([attempt(task="math/add")])[1]
    assert "operators" not in {one.key for one in counts.columns}
    known = task_facts("math/add")
    assert known is not None and known.operators == 2
    (row,) = counts.records()
    assert (row["torch_calls"], row["arithmetic"]) != (known.operators, 0)
