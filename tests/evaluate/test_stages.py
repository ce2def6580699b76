"""What a worker's errors become: void where only a GPU could tell, broken otherwise."""

import pytest

from kernelbenchx.core.outcome import Broken, Outcome, Reason, Stage, Void
from kernelbenchx.evaluate.call_results import results_of
from kernelbenchx.evaluate.calls import plan_slots
from kernelbenchx.evaluate.workers import WorkerRun
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.orders import WorkerError, WorkerReport

CALLS = plan_slots("activation/relu", 3, 5)
FIRST = next(number for number, slot in enumerate(CALLS) if not slot.ablate)
WITHOUT = next(number for number, slot in enumerate(CALLS) if slot.ablate)


def _raised(kind: str, message: str, call: int = FIRST) -> Outcome | None:
    report = WorkerReport(errors=[WorkerError("call", call, kind, message, 12)], done=True)
    return results_of(WorkerRun(Ending(exit_code=0), report), CALLS).failures.get(call)


def test_what_cannot_be_interpreted_is_void_and_says_where() -> None:
    outcome = _raised("NotInterpretable", "inline assembly needs a GPU")
    assert outcome == Void(
        reason=Reason.NOT_INTERPRETABLE, detail="inline assembly needs a GPU, line 12"
    )


def test_a_handler_around_it_makes_it_nothing_else() -> None:
    failure = {"kernel": "k", "type": "NotInterpretable", "message": "inline assembly"}
    report = WorkerReport(traces={FIRST: {"failures": [failure]}}, done=True)
    outcome = results_of(WorkerRun(Ending(exit_code=0), report), CALLS).failures[FIRST]
    assert isinstance(outcome, Void) and outcome.reason is Reason.NOT_INTERPRETABLE


def test_a_fault_of_ours_is_no_matter_of_a_gpu() -> None:
    outcome = results_of(WorkerRun(Ending(lost=True, fault="gone"), WorkerReport()), CALLS).whole
    assert isinstance(outcome, Void)
    assert outcome.reason is not Reason.NOT_INTERPRETABLE


@pytest.mark.parametrize(
    ("kind", "reason", "detail"),
    [
        ("OutOfBounds", Reason.OUT_OF_BOUNDS, "OutOfBounds: said"),
        ("AmbiguousTruth", Reason.COMPILE_ERROR, "said"),
        ("ValueError", Reason.RUNTIME_ERROR, "ValueError: said"),
    ],
)
def test_errors_have_their_reason_and_no_name_of_ours(
    kind: str, reason: Reason, detail: str
) -> None:
    outcome = _raised(kind, "said")
    assert isinstance(outcome, Broken)
    assert (outcome.stage, outcome.reason, outcome.detail) == (Stage.CALL, reason, detail)
    assert outcome.case == CALLS[FIRST].drawn.case.name


def test_errors_without_kernels_say_nothing() -> None:
    assert _raised("NotInterpretable", "inline assembly", WITHOUT) is None


def test_what_fails_at_import_says_so() -> None:
    raised = WorkerReport(errors=[WorkerError("load", None, "ValueError", "said", 3)])
    crashed = WorkerReport()
    for report, ending in ((raised, Ending(exit_code=0)), (crashed, Ending(signal=11))):
        outcome = results_of(WorkerRun(ending, report), CALLS).whole
        assert isinstance(outcome, Broken) and outcome.detail.endswith(" (at import)")
    loaded = WorkerReport(entry="relu", begun=FIRST)
    later = results_of(WorkerRun(Ending(signal=11), loaded), CALLS).failures[FIRST]
    assert isinstance(later, Broken) and "import" not in later.detail
