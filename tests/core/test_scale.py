import pytest

from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.core.scale import ScaleState, scale_of
from samples import evaluation, timed

TOO_LARGE = Failed(
    case="shape=(512,131072)", reason=Reason.RUNTIME_ERROR, detail="OutOfResources: shared memory"
)


@pytest.mark.parametrize(
    ("performance", "state", "verdict"),
    [
        (TOO_LARGE, ScaleState.FAILED, "failed at scale"),
        (
            Failed(case="n=3", reason=Reason.TIMED_WRONG, detail=""),
            ScaleState.FAILED,
            "failed at scale",
        ),
        (Failed(case="n=3", reason=Reason.LATE, detail=""), ScaleState.FAILED, "failed at scale"),
        (Failed(case="n=3", reason=Reason.STALE, detail=""), ScaleState.FAILED, "failed at scale"),
        (Unmeasured(reason=Reason.DISTURBED, detail=""), ScaleState.NOT_JUDGED, "correct"),
        (Unmeasured(reason=Reason.IMPOSSIBLE, detail=""), ScaleState.NOT_JUDGED, "correct"),
        (Unmeasured(reason=Reason.EVALUATOR, detail=""), ScaleState.NOT_JUDGED, "correct"),
        (timed(), ScaleState.PASSED, "correct"),
        (None, ScaleState.NOT_JUDGED, "correct"),
    ],
)
def test_only_the_submissions_own_failure_at_a_timed_size_takes_its_verdict(
    performance: Performance | None, state: ScaleState, verdict: str
) -> None:
    one = evaluation(performance=performance)
    assert one.scale.state is state
    assert one.verdict == verdict
    assert one.solved is (state is not ScaleState.FAILED)


def test_a_failure_names_the_case_and_the_error() -> None:
    found = scale_of(TOO_LARGE)
    assert (found.case, found.reason) == ("shape=(512,131072)", Reason.RUNTIME_ERROR)
    assert found.detail == "OutOfResources: shared memory"


def test_what_is_not_correct_is_not_solved_whatever_its_scale() -> None:
    wrong = evaluation(outcome=Wrong(case="n=3", reason=Reason.BAD_VALUES, detail=""))
    assert not wrong.solved
    assert wrong.verdict == "wrong"
