import json

import msgspec

from kernelbenchx.cli.evaluation_json import result
from kernelbenchx.core.outcome import CaseResult, CaseState, Reason, Wrong
from kernelbenchx.core.performance import Failed
from kernelbenchx.core.scopes import Scope
from samples import evaluation, timed


def test_times_come_without_raw_samples() -> None:
    said = result(evaluation(performance=timed()))
    assert said["performance"]["kind"] == "timed"
    compared = said["performance"]["cases"][0]["comparisons"][0]
    assert compared["speedup"] == 1.25 and compared["speed_class"] == "faster"
    assert "samples" not in json.dumps(said)


def test_what_has_no_times_says_why_or_nothing() -> None:
    assert result(evaluation())["performance"] is None
    failed = Failed(case="n=3", reason=Reason.LATE, detail="nothing was there")
    said = result(evaluation(performance=failed))
    assert said["performance"] == {
        "kind": "failed",
        "case": "n=3",
        "reason": "late",
        "detail": "nothing was there",
        "trick": "",
        "process": "",
        "cases": [],
        "before": None,
        "after": None,
        "huge": None,
    }
    assert said["isolation"] == "L3"


def test_a_failure_at_a_timed_size_has_a_field_of_its_own() -> None:
    failed = Failed(case="n=3", reason=Reason.RUNTIME_ERROR, detail="OutOfResources")
    said = result(evaluation(performance=failed))
    assert said["scale"].pop("huge")["state"] == "not_judged"
    assert said["scale"] == {
        "state": "failed",
        "case": "n=3",
        "reason": "runtime_error",
        "detail": "OutOfResources",
    }
    assert said["solved"] is False
    passed = result(evaluation(performance=timed()))
    assert (passed["scale"]["state"], passed["solved"]) == ("passed", True)


def test_counts_by_scope_have_a_field_of_their_own() -> None:
    cases = (
        CaseResult("a", CaseState.PASSED, dtype="float32"),
        CaseResult("b", CaseState.WRONG, needs=(Scope.LAYOUT,)),
    )
    wrong = Wrong(case="b", reason=Reason.BAD_VALUES, detail="")
    said = result(evaluation(outcome=wrong, cases=cases))
    assert said["core_correct"] is True and said["pattern"] == ""
    assert said["scopes"] == {
        "core": {"passed": 1, "total": 1, "dtypes": {"float32": {"passed": 1, "total": 1}}},
        "layout": {"passed": 0, "total": 1, "dtypes": {"": {"passed": 0, "total": 1}}},
    }
    assert said["cases"][1]["needs"] == ["layout"]
    assert said["basic_correct"] is True
    none = result(evaluation())
    assert none["core_correct"] is True and none["scopes"] == {}


def test_core_times_have_a_key_of_their_own() -> None:
    near = msgspec.structs.replace(evaluation(), core_performance=timed(2.0))
    plain = result(near)
    assert plain["performance"] is None
    assert plain["core_performance"]["speedups"][0]["speedup"] == 2.0
    compared = plain["core_performance"]["cases"][0]["comparisons"][0]
    assert "samples" not in compared
    assert result(evaluation(performance=timed(2.0)))["core_performance"] is None
