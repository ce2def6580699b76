"""Decides whose fault it is that a submission has no times."""

from collections.abc import Sequence

from kernelbenchx.core.outcome import Reason, Stage, Void
from kernelbenchx.core.performance import Failed, Performance, Timed, Unmeasured
from kernelbenchx.measure.bench_server import REPLAY
from kernelbenchx.runner.endings import Ending, classify_ending


def may_be_others_fault(found: Performance) -> bool:
    """Whether it failed in a process that another submission had used, or in the evaluator."""
    if isinstance(found, Failed):
        return found.process.startswith(REPLAY)
    if isinstance(found, Timed):
        return any(one.process.startswith(REPLAY) for one in found.left_out)
    return isinstance(found, Unmeasured) and found.reason is Reason.EVALUATOR


def explain_crash(found: Performance, endings: Sequence[Ending]) -> Performance:
    """Explain a process that ended suddenly, by its parent; if kbx ended it, kbx is at fault."""
    if not isinstance(found, Failed) or found.reason is not Reason.CRASH:
        return found
    for ending in endings:
        if ending.over == "wall":
            detail = "timed out waiting for the GPU"
            return Unmeasured(reason=Reason.EVALUATOR, detail=detail, case=found.case)
        if ending.clean or ending.over == "cancelled":
            continue
        why = classify_ending(ending, Stage.PERF)
        if isinstance(why, Void):
            return Unmeasured(reason=why.reason, detail=why.detail[:1000], case=found.case)
        return Failed(
            case=found.case, reason=why.reason, detail=why.detail[:1000], process=found.process
        )
    return found
