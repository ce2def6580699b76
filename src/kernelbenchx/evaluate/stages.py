"""The stages of an evaluation, a function each; an outcome ends the way, None goes on."""

import msgspec

from kernelbenchx import catalog
from kernelbenchx.core.outcome import (
    NOTHING_TO_RETRY,
    Broken,
    Outcome,
    Reason,
    Stage,
    Void,
)
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.calls import Slot, first_of
from kernelbenchx.evaluate.workers import Run
from kernelbenchx.runner.endings import broken
from kernelbenchx.runner.exchange import Plan, Planned, Report, WorkerError
from kernelbenchx.worker.red_zones import WIDTH as RED_ZONE

_REASONS = {
    "OutOfBounds": Reason.OUT_OF_BOUNDS,
    "AmbiguousTruth": Reason.COMPILE_ERROR,
    "NotInterpretable": Reason.NOT_INTERPRETABLE,
    "MemoryError": Reason.MEMORY,
    "NotTriton": Reason.COMPILE_ERROR,
    "CompilationError": Reason.COMPILE_ERROR,
    "CompileTimeAssertionFailure": Reason.COMPILE_ERROR,
    "UnsupportedLanguageConstruct": Reason.COMPILE_ERROR,
    "PTXASError": Reason.COMPILE_ERROR,
    "OutOfResources": Reason.COMPILE_ERROR,
}
_OWN_WORDS = ("AmbiguousTruth", "NotInterpretable")
"""Errors of the interpreter whose message says all."""
_FAILED_PASSES = "PassManager::run failed"
"""All that is said where Triton's compiler gives up behind its front end."""
_HOW_TO_REPEAT = "Repro command:"
"""What an assembler's message ends with: about a file that is gone."""


def plan_for(
    attempt: Attempt, mode: str, slots: tuple[Slot, ...], seed: int, settings: Settings
) -> Plan:
    """The order of one worker."""
    return Plan(
        mode=mode,
        source=attempt.source,
        entries=attempt.entries,
        form=attempt.facts.form,
        language=attempt.submission.language,
        seed=seed % (1 << 31),
        calls=planned_calls(attempt, slots),
        device="cuda:0" if mode == "cuda" else "cpu",
        target=settings.target,
        red_zone=RED_ZONE if mode == "cuda" else 0,
    )


def planned_calls(attempt: Attempt, slots: tuple[Slot, ...]) -> tuple[Planned, ...]:
    """The calls of an order."""
    task = catalog.load(attempt.submission.task)
    return tuple(
        Planned(
            slot.call,
            task.tensor_names(slot.call),
            ablate=slot.ablate,
            poison=slot.poison,
            writes=task.writes,
            reuses=first_of(slots, slot) if slot.again else None,
            # A kernel that is right only where undefined lanes hold poison fails in this call.
            zeros=slot.again,
        )
        for slot in slots
    )


def call_outcome(run: Run, slots: tuple[Slot, ...]) -> Outcome | None:
    """Did it load, run and end? Errors in calls without kernels say nothing."""
    report = run.report
    if run.ending.lost:
        return broken(run.ending, Stage.CALL)
    for error in report.errors:
        if error.call is None or not slots[error.call].ablate:
            return _raised(error, slots)
    if report.done and run.ending.clean:
        return _failed_launch(report, slots) or _unanswered(report, slots)
    if not run.ending.clean:
        return _ended(run, slots)
    detail = report.malformed or "the worker ended without finishing its result"
    return Broken(stage=Stage.CALL, reason=Reason.MALFORMED, detail=detail)


def needs_a_gpu(outcome: Outcome) -> bool:
    """Whether the interpreter could say nothing about it."""
    return isinstance(outcome, Void) and outcome.reason in NOTHING_TO_RETRY


def _ended(run: Run, slots: tuple[Slot, ...]) -> Outcome:
    """With the case that was under way: of every call that came to its end something was seen."""
    outcome = broken(run.ending, Stage.CALL)
    if isinstance(outcome, Broken) and run.report.entry:
        for number, slot in enumerate(slots):
            if number not in run.report.traces:
                return msgspec.structs.replace(outcome, case=slot.drawn.case.name)
    return outcome


def _unanswered(report: Report, slots: tuple[Slot, ...]) -> Broken | None:
    """A result that says it is complete holds an answer to every call that had kernels."""
    if all(slot.ablate or number in report.returned for number, slot in enumerate(slots)):
        return None
    detail = "the result says that it is complete, but answers are missing"
    return Broken(stage=Stage.CALL, reason=Reason.MALFORMED, detail=detail)


def _failed_launch(report: Report, slots: tuple[Slot, ...]) -> Broken | Void | None:
    """A launch that failed counts, also where the wrapper went on as if nothing had happened."""
    for number, trace in report.traces.items():
        for failure in trace["failures"]:
            kind, message = str(failure.get("type")), str(failure.get("message"))
            return _failed(
                _reason(kind, message, Reason.RUNTIME_ERROR),
                f"{_said(kind, message)} (in a launch of {failure['kernel']})",
                case="" if number is None else slots[number].drawn.case.name,
            )
    return None


def _raised(error: WorkerError, slots: tuple[Slot, ...]) -> Broken | Void:
    unforeseen = Reason.LOAD_ERROR if error.stage == "load" else Reason.RUNTIME_ERROR
    return _failed(
        _reason(error.kind, error.message, unforeseen),
        _said(error.kind, error.message),
        case="" if error.call is None else slots[error.call].drawn.case.name,
        line=max(error.line, 0),
    )


def _failed(reason: Reason, detail: str, *, case: str, line: int = 0) -> Broken | Void:
    """What only a GPU can run says nothing about the submission."""
    if reason is Reason.NOT_INTERPRETABLE:
        where = f", line {line}" if line else ""
        return Void(reason=reason, detail=f"{detail}{where}")
    return Broken(stage=Stage.CALL, reason=reason, detail=detail, case=case, line=line)


def _reason(kind: str, message: str, unforeseen: Reason) -> Reason:
    if kind == "RuntimeError" and message.startswith(_FAILED_PASSES):
        return Reason.COMPILE_ERROR
    return _REASONS.get(kind, unforeseen)


def _said(kind: str, message: str) -> str:
    if kind == "PTXASError":
        message = message.partition(_HOW_TO_REPEAT)[0].rstrip()
    return message if kind in _OWN_WORDS else f"{kind}: {message}"
