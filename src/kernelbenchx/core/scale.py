"""Whether a submission is also right at the sizes that are timed, which are larger."""

from enum import StrEnum

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
    """No times were asked for, or none could be measured and not by the submission's fault."""


class Scale(Record, frozen=True, kw_only=True):
    """The answers at the timed sizes, apart from how fast they came."""

    state: ScaleState
    case: str = ""
    """The timed case that failed; empty where the submission failed before the first."""
    reason: Reason | None = None
    detail: str = ""


def scale_of(performance: Performance | None) -> Scale:
    """Every failed timed call counts, also a late or a stale one: its answer was not there."""
    if isinstance(performance, Timed):
        return Scale(state=ScaleState.PASSED)
    if isinstance(performance, Failed):
        return Scale(
            state=ScaleState.FAILED,
            case=performance.case,
            reason=performance.reason,
            detail=performance.detail,
        )
    return Scale(state=ScaleState.NOT_JUDGED)


def timed_sizes(performance: Performance | None) -> list[bool]:
    """For each timed case that was judged, whether it passed; none where times were not taken."""
    if isinstance(performance, Timed):
        return [True] * len(performance.cases)
    if isinstance(performance, Failed):
        right = [one for one in performance.cases if one.case != performance.case]
        return [True] * len(right) + [False]
    return []
