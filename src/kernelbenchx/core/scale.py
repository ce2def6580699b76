"""Whether a submission is also right at the sizes that are timed, which are larger."""

from enum import StrEnum

from kernelbenchx.core.huge import HugeResult, HugeState, make_not_judged
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, Performance, Timed
from kernelbenchx.core.record import Record

FAILED_AT_SCALE = "failed at scale"
"""The verdict of a submission that is correct on every check case and failed at a timed one."""


class ScaleState(StrEnum):
    """What is known of the timed sizes."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_JUDGED = "not_judged"
    """No times were requested, or none could be measured by no fault of the submission."""


class Scale(Record, frozen=True, kw_only=True):
    """The answers at the timed sizes, apart from their speed."""

    state: ScaleState
    case: str = ""
    """The timed case that failed; empty if the submission failed before the first."""
    reason: Reason | None = None
    detail: str = ""
    huge: HugeResult | None = None
    """The call beyond 2^31 elements. If it is not judged, `state` is about the timed sizes."""


def scale_of(performance: Performance | None) -> Scale:
    """Every failed timed call counts, also a late or a stale one: its answer was missing."""
    if isinstance(performance, Timed):
        return Scale(state=ScaleState.PASSED, huge=huge_of(performance))
    if isinstance(performance, Failed):
        return Scale(
            state=ScaleState.FAILED,
            case=performance.case,
            reason=performance.reason,
            detail=performance.detail,
            huge=huge_of(performance),
        )
    return Scale(state=ScaleState.NOT_JUDGED, huge=huge_of(performance))


def huge_of(performance: Performance | None) -> HugeResult | None:
    """The result of the call beyond 2^31 elements."""
    if isinstance(performance, Timed) or (isinstance(performance, Failed) and performance.huge):
        return performance.huge
    if performance is None:
        return make_not_judged("only judged on a GPU with --stage perf, for correct submissions")
    return make_not_judged("only judged after all timed cases")


def failed_at_huge_call(timed: Timed, huge: HugeResult) -> Failed:
    """The failure of a submission that is right at every timed size and not at the huge one."""
    return Failed(
        case=huge.case,
        reason=huge.reason or Reason.TIMED_WRONG,
        detail=huge.detail,
        process=huge.process,
        cases=timed.cases,
        before=timed.before,
        after=timed.after,
        huge=huge,
    )


def timed_sizes(performance: Performance | None) -> list[tuple[str, bool]]:
    """For each timed case that was judged, its name and whether it passed; empty without times."""
    if isinstance(performance, Timed):
        huge = performance.huge
        passed = [huge.case] if huge is not None and huge.state is HugeState.PASSED else []
        return [(name, True) for name in [*(one.case for one in performance.cases), *passed]]
    if isinstance(performance, Failed):
        right = [one.case for one in performance.cases if one.case != performance.case]
        return [*((name, True) for name in right), (performance.case, False)]
    return []
