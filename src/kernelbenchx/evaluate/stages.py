"""The stages of an evaluation, one function each; an outcome ends it, None continues it."""

from typing import Any

from kernelbenchx import catalog
from kernelbenchx.core.outcome import (
    Broken,
    Finding,
    Reason,
    Rejected,
    Stage,
    Void,
)
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.calls import Slot, drawn_cases, find_first_call, why_not_taken
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.runner.orders import CallPlan, PlannedCall, WorkerError
from kernelbenchx.spec.problem import Problem
from kernelbenchx.worker.red_zones import WIDTH as RED_ZONE

_REASONS = {
    "NotTaken": Reason.SIGNATURE,
    "OutOfBounds": Reason.OUT_OF_BOUNDS,
    "AmbiguousTruth": Reason.COMPILE_ERROR,
    "NotInterpretable": Reason.NOT_INTERPRETABLE,
    "MemoryError": Reason.MEMORY,
    "NotTriton": Reason.COMPILE_ERROR,
    "CompilationError": Reason.COMPILE_ERROR,
    "CompileTimeAssertionFailure": Reason.COMPILE_ERROR,
    "UnsupportedLanguageConstruct": Reason.COMPILE_ERROR,
    "PTXASError": Reason.COMPILE_ERROR,
    "WeightsDoNotFit": Reason.WEIGHTS,
    "OutOfResources": Reason.COMPILE_ERROR,
}
_OWN_WORDS = ("AmbiguousTruth", "NotTaken", "NotInterpretable", "WeightsDoNotFit")
"""Errors of the worker whose message is complete."""
_FAILED_PASSES = "PassManager::run failed"
"""The whole message if Triton's compiler fails behind its front end."""
AT_IMPORT = " (at import)"
_HOW_TO_REPEAT = "Repro command:"
"""How an assembler's message ends: it names a file that no longer exists."""


def plan_for(
    attempt: EvaluationState, mode: str, slots: tuple[Slot, ...], seed: int, settings: Settings
) -> CallPlan:
    """Build the order of one worker."""
    return CallPlan(
        mode=mode,
        source=attempt.source,
        entries=attempt.entries,
        binding=attempt.binding,
        form=attempt.facts.form,
        language=attempt.submission.language,
        seed=seed % (1 << 31),
        calls=planned_calls(attempt, slots),
        device="cuda:0" if mode == "cuda" else "cpu",
        target=settings.target,
        red_zone=RED_ZONE if mode == "cuda" else 0,
        tf32=tf32_of(attempt.submission.task),
        compares_state=settings.checks,
    )


def refuse_without_core_call(attempt: EvaluationState, seed: int) -> Rejected | None:
    """Refuse a signature that takes none of the core calls, although it may take others."""
    if not attempt.binding.lacks:
        return None
    core = [one for one in drawn_cases(attempt.submission.task, seed) if not one.needs]
    reasons = [why_not_taken(attempt.binding, one.call) for one in core]
    if not reasons or not all(reasons):
        return None
    why = f"no core call can be made; {core[0].case.name}: {reasons[0]}"
    return Rejected(findings=(Finding(rule="entry", line=attempt.binding.line, why=why),))


def tf32_of(name: str) -> bool | None:
    """Problems say how torch multiplies for both programs; for other tasks torch decides."""
    task = catalog.load(name)
    return task.tf32 if isinstance(task, Problem) else None


def planned_calls(attempt: EvaluationState, slots: tuple[Slot, ...]) -> tuple[PlannedCall, ...]:
    """The calls of an order."""
    task = catalog.load(attempt.submission.task)
    return tuple(
        PlannedCall(
            slot.call,
            task.tensor_names(slot.call),
            ablate=slot.ablate,
            poison=slot.poison,
            writes=task.writes,
            reuses=find_first_call(slots, slot) if slot.again else None,
            # A kernel that is right only if undefined lanes hold poison fails in this call.
            zeros=slot.again,
        )
        for slot in slots
    )


def judge_exception(error: WorkerError, slots: tuple[Slot, ...]) -> Broken | Void:
    """The outcome of an exception."""
    unforeseen = Reason.LOAD_ERROR if error.stage == "load" else Reason.RUNTIME_ERROR
    return _break_or_void(
        _classify_error(error.kind, error.message, unforeseen),
        _format_message(error.kind, error.message) + (AT_IMPORT if error.stage == "load" else ""),
        case="" if error.call is None else slots[error.call].drawn.case.name,
        line=max(error.line, 0),
    )


def judge_failed_launch(trace: dict[str, Any], case: str) -> Broken | Void | None:
    """A launch that failed counts, also if the wrapper continued as if nothing had happened."""
    for failure in trace.get("failures", ()):
        kind, message = str(failure.get("type")), str(failure.get("message"))
        return _break_or_void(
            _classify_error(kind, message, Reason.RUNTIME_ERROR),
            f"{_format_message(kind, message)} (in a launch of {failure['kernel']})",
            case=case,
        )
    return None


def _break_or_void(reason: Reason, detail: str, *, case: str, line: int = 0) -> Broken | Void:
    """What only a GPU can run, or cannot be given its weights, says nothing of its kernels."""
    if reason in (Reason.NOT_INTERPRETABLE, Reason.WEIGHTS):
        where = f", line {line}" if line and reason is Reason.NOT_INTERPRETABLE else ""
        return Void(reason=reason, detail=f"{detail}{where}")
    return Broken(stage=Stage.CALL, reason=reason, detail=detail, case=case, line=line)


def _classify_error(kind: str, message: str, unforeseen: Reason) -> Reason:
    if kind == "RuntimeError" and message.startswith(_FAILED_PASSES):
        return Reason.COMPILE_ERROR
    return _REASONS.get(kind, unforeseen)


def _format_message(kind: str, message: str) -> str:
    if kind == "PTXASError":
        message = message.partition(_HOW_TO_REPEAT)[0].rstrip()
    return message if kind in _OWN_WORDS else f"{kind}: {message}"
