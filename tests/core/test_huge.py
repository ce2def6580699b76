"""The huge call within the scope `scale`."""

import msgspec
import pytest

from kernelbenchx.core.huge import HugeResult, HugeState, make_not_judged
from kernelbenchx.core.outcome import CaseResult, CaseState, Reason
from kernelbenchx.core.performance import Failed, Performance, Timed, Unmeasured
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.scale import ScaleState, failed_at_huge_call, scale_of
from kernelbenchx.core.scopes import Scope, sum_dtypes
from samples import evaluation, timed

CASE = "shape=(2147487748,),dtype=float16"
PASSED = HugeResult(state=HugeState.PASSED, case=CASE, slices=17)
FAILED = HugeResult(
    state=HugeState.FAILED,
    case=CASE,
    reason=Reason.RUNTIME_ERROR,
    detail="illegal memory access",
    process="entry 0",
)
TIMES = timed()


def _with(huge: HugeResult | None) -> Performance:
    return msgspec.structs.replace(TIMES, huge=huge)


@pytest.mark.parametrize(
    ("performance", "passed", "total"),
    [
        (_with(PASSED), 1, 1),
        (_with(make_not_judged("it needs 17 GB")), 0, 0),
        (_with(None), 0, 0),
        (failed_at_huge_call(TIMES, FAILED), 0, 1),
    ],
)
def test_it_counts_as_one_case_of_scale_where_it_was_judged(
    performance: Performance, passed: int, total: int
) -> None:
    core = CaseResult("a", CaseState.PASSED, needs=())
    found = {
        one.scope: one
        for one in sum_dtypes(evaluation(performance=performance, cases=(core,)).scopes)
    }
    scale = found[Scope.SCALE]
    assert (scale.passed, scale.total) == (len(TIMES.cases) + passed, len(TIMES.cases) + total)


def test_a_submission_that_fails_it_fails_at_scale() -> None:
    one = evaluation(performance=failed_at_huge_call(TIMES, FAILED))
    assert (one.verdict, one.solved) == ("failed at scale", False)
    assert (one.scale.case, one.scale.reason) == (CASE, Reason.RUNTIME_ERROR)
    assert one.scale.huge == FAILED


@pytest.mark.parametrize(
    ("performance", "said"),
    [
        (None, "only judged on a GPU with --stage perf, for correct submissions"),
        (Unmeasured(reason=Reason.DISTURBED, detail=""), "only judged after all timed cases"),
        (
            Failed(case="n=3", reason=Reason.LATE, detail=""),
            "only judged after all timed cases",
        ),
        (_with(make_not_judged("it needs 17 GB")), "it needs 17 GB"),
    ],
)
def test_where_it_is_not_judged_a_reason_is_given(
    performance: Performance | None, said: str
) -> None:
    found = scale_of(performance)
    assert found.huge is not None
    assert (found.huge.state, found.huge.detail) == (HugeState.NOT_JUDGED, said)


def test_not_judged_takes_nothing_from_a_submission() -> None:
    assert scale_of(_with(make_not_judged("no GPU"))).state is ScaleState.PASSED
    assert scale_of(_with(None)).huge is None


def test_it_is_kept_with_the_times() -> None:
    assert from_json(to_json(_with(PASSED)), Timed).huge == PASSED
