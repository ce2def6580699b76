"""Whose fault it is, from the answer and from how processes ended."""

import signal

import msgspec
import pytest

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, LeftOut, Performance, Timed, Unmeasured
from kernelbenchx.evaluate.timing_faults import explain_crash, may_be_others_fault
from kernelbenchx.runner.endings import Ending
from samples import timed

GONE = Failed(case="c", reason=Reason.CRASH, detail="Gone: it ended", process="entry 0")
DISTURBED = Unmeasured(reason=Reason.DISTURBED, detail="d")


def _left_out(process: str) -> Timed:
    left_out = LeftOut(case="c", why="timed_wrong: d", process=process)
    return msgspec.structs.replace(timed(), left_out=(left_out,))


@pytest.mark.parametrize(
    ("found", "others"),
    [
        (Failed(case="c", reason=Reason.CRASH, detail="d", process="replay 1"), True),
        (Unmeasured(reason=Reason.EVALUATOR, detail="d"), True),
        (GONE, False),
        (DISTURBED, False),
        (_left_out("replay 1"), True),
        (_left_out("entry 0"), False),
        (_left_out(""), False),
    ],
)
def test_what_went_wrong_where_others_had_been_may_be_theirs(
    found: Performance, others: bool
) -> None:
    assert may_be_others_fault(found) is others


def test_the_first_process_that_did_not_end_well_says_why_one_was_gone() -> None:
    cancelled = Ending(signal=signal.SIGKILL, over="cancelled")
    found = explain_crash(GONE, [cancelled, Ending(over="memory", signal=signal.SIGKILL)])
    assert isinstance(found, Failed) and found.reason is Reason.MEMORY
    assert found.process == GONE.process
    assert explain_crash(GONE, [cancelled, Ending(exit_code=0)]) == GONE


def test_endings_explain_nothing_where_nobody_was_gone() -> None:
    assert explain_crash(DISTURBED, [Ending(signal=signal.SIGSEGV)]) == DISTURBED
