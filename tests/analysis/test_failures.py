import pytest

from attempt_samples import attempt
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.failures import tables
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.published_attempts import attempts as published
from kernelbenchx.analysis.published_data import METHODS
from kernelbenchx.analysis.table import Table, Value

FAR = "3 of 64 elements are further from the exact result than rounding explains"


def _attempts() -> list[Attempt]:
    given = []
    for number in range(10):
        task = f"math/task_{number}"
        given.append(attempt(task=task, category="Math", method="a"))
        given.append(
            attempt(task=task, category="Math", method="b", outcome="rejected", reason="kernels")
            if number < 2
            else attempt(
                task=task,
                category="Math",
                method="b",
                outcome="broken",
                reason="compile_error",
                detail=f"CompilationError: at {number}:3 in float32",
            )
        )
    given.append(attempt(outcome="wrong", reason="bad_dtype", detail="output has dtype float32"))
    given.append(attempt(outcome="void", reason="evaluator", method="b"))
    return given


def _tables() -> dict[str, Table]:
    found = tables(_attempts())
    return {one.name: one for one in found}


def test_causes_with_stage_count_and_share_without_what_is_void() -> None:
    rows = _tables()["failures"].records()
    assert [(row["cause"], row["stage"], row["failures"]) for row in rows] == [
        ("compile", "call", 8),
        ("policy", "check", 2),
        ("dtype", "exe", 1),
    ]
    assert "21 attempts, of all rounds and GPUs, 11 failed" in _tables()["failures"].about
    assert sum(float(row["of_failures"] or 0) for row in rows) == 1.0


def test_what_failed_at_a_timed_size_failed() -> None:
    scale = attempt(performance="failed", reason="timed_wrong", detail="other values")
    rows = {one.name: one for one in tables([*_attempts(), scale])}["failures"].records()
    assert ("values", "perf", 1) in [(row["cause"], row["stage"], row["failures"]) for row in rows]


def test_shares_of_a_method_have_wilsons_interval_over_tasks() -> None:
    rows = {(row["method"], row["cause"]): row for row in _tables()["failures_by_method"].records()}
    row, wanted = rows["b", "compile"], wilson(8, 10)
    assert (row["failures"], row["attempts"], row["tasks"]) == (8, 10, 10)
    assert (row["share"], row["low"], row["high"]) == (wanted.value, wanted.low, wanted.high)
    assert ("a", "compile") not in rows


def test_shares_by_category() -> None:
    rows = _tables()["failures_by_category"].records()
    shares = {(row["category"], row["cause"]): row["share"] for row in rows}
    assert shares == {
        ("Activation", "dtype"): 1.0,
        ("Math", "compile"): 0.4,
        ("Math", "policy"): 0.1,
    }


def test_stages_say_where_attempts_end_also_where_none_did() -> None:
    rows = {
        (row["by"], row["group"], row["stage"]): row["share"]
        for row in _tables()["failures_stages"].records()
    }
    assert rows["method", "b", "check"] == 0.2
    assert rows["method", "b", "call"] == 0.8
    assert rows["method", "a", "call"] == 0.0
    assert rows["category", "Activation", "exe"] == 1.0


def _by_stage(attempts: list[Attempt]) -> dict[tuple[Value, Value], dict[str, Value]]:
    (table,) = [one for one in tables(attempts) if one.name == "failures_stages"]
    return {(row["group"], row["stage"]): row for row in table.records() if row["by"] == "method"}


def test_timed_sizes_are_a_stage_only_of_runs_that_took_times() -> None:
    timed = [attempt(method="a", run="r", performance="timed")]
    untimed = [attempt(method="b", run="s")]
    rows = _by_stage([*timed, *untimed])
    known, unknown = rows["a", "perf"], rows["b", "perf"]
    assert (known["share"], known["attempts"]) == (0.0, 1)
    assert known["high"] is not None and (unknown["attempts"], unknown["tasks"]) == (0, 0)
    assert unknown["share"] is unknown["low"] is unknown["high"] is None
    assert rows["b", "exe"]["share"] == 0.0, "its answers were judged"


def test_what_the_paper_does_not_publish_has_no_share() -> None:
    rows = _by_stage(published())
    for method in METHODS:
        for stage in ("check", "perf"):
            row = rows[method, stage]
            assert row["share"] is row["low"] is row["high"] is None
    # Table 1: 121 of 176 compile, 54 of them are correct.
    assert rows["GEAK", "call"]["share"] == pytest.approx((176 - 121) / 176)
    assert rows["GEAK", "exe"]["share"] == pytest.approx((121 - 54) / 176)


def test_messages_that_differ_in_numbers_are_one() -> None:
    rows = _tables()["failures_messages"].records()
    assert {
        "cause": "compile",
        "failures": 8,
        "message": "CompilationError: at N:N in float32",
    } in rows


def test_rules_are_counted() -> None:
    (row,) = _tables()["failures_rules"].records()
    assert (row["rule"], row["failures"]) == ("kernels", 2)


def test_causes_that_occurred_are_defined_and_others_are_not() -> None:
    rows = _tables()["failures_definitions"].records()
    assert [row["cause"] for row in rows] == ["policy", "compile", "dtype"]
    assert all(row["meaning"] and row["evidence"] for row in rows)


def test_where_nothing_failed_it_is_said() -> None:
    for given in ([], [attempt()]):
        found = {one.name: one for one in tables(given)}
        assert found["failures"].rows == found["failures_definitions"].rows == ()
        assert found["failures"].notes == ("No attempt failed.",)
    assert _tables()["failures"].notes == ()
