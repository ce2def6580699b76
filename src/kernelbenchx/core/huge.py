"""The result of a task's call with more than 2^31 elements."""

from enum import StrEnum

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.record import Record


class HugeState(StrEnum):
    """State of the huge call of one submission."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_JUDGED = "not_judged"
    """The task has no such call, or this machine cannot make it."""


class HugeResult(Record, frozen=True, kw_only=True):
    """The huge call, judged on slices; it is not timed."""

    state: HugeState
    case: str = ""
    """Empty if the task declares no such call."""
    slices: int = 0
    """How many slices were compared with the truth."""
    reason: Reason | None = None
    detail: str = ""
    """How it failed, or why it was not judged."""
    process: str = ""
    """The process in which it failed."""


def make_not_judged(why: str, case: str = "") -> HugeResult:
    """A result that says nothing about the submission."""
    return HugeResult(state=HugeState.NOT_JUDGED, case=case, detail=why[:300])
