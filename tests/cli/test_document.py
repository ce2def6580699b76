import json

from kernelbenchx.cli.document import result
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed
from samples import evaluation, timed


def test_times_come_without_raw_samples() -> None:
    said = result(evaluation(performance=timed()))
    assert said["performance"]["kind"] == "timed"
    compared = said["performance"]["cases"][0]["comparisons"][0]
    assert compared["speedup"] == 1.25 and compared["pace"] == "faster"
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
    }
    assert said["isolation"] == "L3"


def test_a_failure_at_a_timed_size_has_a_field_of_its_own() -> None:
    failed = Failed(case="n=3", reason=Reason.RUNTIME_ERROR, detail="OutOfResources")
    said = result(evaluation(performance=failed))
    assert said["scale"] == {
        "state": "failed",
        "case": "n=3",
        "reason": "runtime_error",
        "detail": "OutOfResources",
    }
    assert said["solved"] is False
    passed = result(evaluation(performance=timed()))
    assert (passed["scale"]["state"], passed["solved"]) == ("passed", True)
