"""A scope is blamed only by cases that need it alone, and never praised without a case."""

import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Finding,
    Outcome,
    Reached,
    Reason,
    Rejected,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.performance import Failed
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.scopes import Scope, ScopeCount, find_named_dtype, find_scope, sum_dtypes
from samples import evaluation, timed

WRONG = Wrong(case="b", reason=Reason.BAD_VALUES, detail="")


def case(name: str, state: str, *needs: Scope) -> CaseResult:
    return CaseResult(name, CaseState(state), needs=needs)


CASES = (
    case("a", "passed"),
    case("b", "wrong", Scope.LAYOUT),
    case("c", "passed", Scope.LAYOUT),
    case("d", "broken", Scope.LAYOUT, Scope.DTYPE),
    case("e", "not_reached", Scope.VALUES),
)


def counts(one: Evaluation) -> dict[str, tuple[int, int]]:
    return {found.scope.value: (found.passed, found.total) for found in sum_dtypes(one.scopes)}


@pytest.mark.parametrize(
    ("needs", "scope"),
    [
        ((), Scope.CORE),
        ((Scope.DTYPE,), Scope.DTYPE),
        ((Scope.CORE, Scope.DTYPE), Scope.DTYPE),
        ((Scope.DTYPE, Scope.LAYOUT), Scope.COMBINED),
    ],
)
def test_a_case_counts_for_the_scope_that_it_needs_alone(
    needs: tuple[Scope, ...], scope: Scope
) -> None:
    assert find_scope(needs) is scope


def test_cases_are_counted_by_scope_and_what_has_no_case_is_not_there() -> None:
    one = evaluation(outcome=WRONG, cases=CASES)
    assert counts(one) == {
        "core": (1, 1),
        "layout": (1, 2),
        "values": (0, 1),
        "combined": (0, 1),
    }
    assert one.core_correct is True
    assert one.scopes[1] == ScopeCount(scope=Scope.LAYOUT, passed=1, total=2)
    assert one.scopes[1].failed == 1


@pytest.mark.parametrize("state", ["wrong", "broken", "not_reached"])
def test_one_failed_core_case_is_enough(state: str) -> None:
    one = evaluation(outcome=WRONG, cases=(*CASES, case("f", state)))
    assert counts(one)["core"] == (1, 2)
    assert one.core_correct is False


def test_without_a_core_case_nothing_is_claimed_of_the_core() -> None:
    one = evaluation(outcome=WRONG, cases=CASES[1:])
    assert "core" not in counts(one) and one.core_correct is None


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Broken(stage=Stage.CALL, reason=Reason.LOAD_ERROR, detail=""), False),
        (Rejected(findings=(Finding(rule="r", line=1, why="w"),)), False),
        (Void(reason=Reason.TOO_SLOW, detail=""), None),
        (Reached(stage=Stage.CALL), None),
    ],
)
def test_where_nothing_was_judged_there_are_no_counts(
    outcome: Outcome, expected: bool | None
) -> None:
    one = evaluation(outcome=outcome)
    assert one.scopes == () and one.core_correct is expected


def test_counts_are_kept_by_dtype_and_summed() -> None:
    cases = (
        CaseResult("a", CaseState.PASSED, dtype="float32"),
        CaseResult("b", CaseState.WRONG, dtype="float16"),
        CaseResult("c", CaseState.PASSED, dtype="float16"),
        CaseResult("d", CaseState.PASSED, dtype="float16", needs=(Scope.LAYOUT,)),
    )
    one = evaluation(outcome=WRONG, cases=cases)
    assert [(n.scope.value, n.dtype, n.passed, n.total) for n in one.scopes] == [
        ("core", "float32", 1, 1),
        ("core", "float16", 1, 2),
        ("layout", "float16", 1, 1),
    ]
    assert sum_dtypes(one.scopes)[0] == ScopeCount(scope=Scope.CORE, passed=2, total=3)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("shape=(3,),dtype=float16,layout=offset", "float16"),
        ("dtype=int8", "int8"),
        ("index_dtype=int64,shape=(3,)", ""),
        ("n=3", ""),
    ],
)
def test_the_dtype_is_read_from_the_name_of_a_case(name: str, dtype: str) -> None:
    assert find_named_dtype(name) == dtype


def test_a_case_keeps_its_needs() -> None:
    one = case("d", "broken", Scope.LAYOUT, Scope.DTYPE)
    assert from_json(to_json(one), CaseResult) == one


def test_timed_sizes_count_for_scale_where_they_were_judged() -> None:
    assert "scale" not in counts(evaluation(cases=CASES[:1]))
    passed = evaluation(cases=CASES[:1], performance=timed())
    assert counts(passed)["scale"] == (len(timed().cases), len(timed().cases))
    failed = Failed(case="n=4", reason=Reason.TIMED_WRONG, detail="", cases=timed().cases)
    assert counts(evaluation(cases=CASES[:1], performance=failed))["scale"] == (
        len(timed().cases),
        len(timed().cases) + 1,
    )
