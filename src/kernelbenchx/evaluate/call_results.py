"""The result of every call of a plan. Each call is judged on its own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from kernelbenchx.core.outcome import Broken, Reason, Stage, Void
from kernelbenchx.evaluate.calls import Slot
from kernelbenchx.evaluate.stages import AT_IMPORT, judge_exception, judge_failed_launch
from kernelbenchx.evaluate.workers import WorkerRun
from kernelbenchx.runner.endings import classify_ending
from kernelbenchx.runner.orders import WorkerReport

Failure = Broken | Void
"""Void where only a GPU could tell."""


@dataclass(frozen=True)
class CallResults:
    """Answers of the process that made the calls last, and what failed."""

    report: WorkerReport
    """Numbered as the calls were planned; holds answers only of a process that ran to its end."""
    failures: Mapping[int, Failure] = field(default_factory=dict)
    """By the number of a call with kernels."""
    whole: Failure | None = None
    """Why nothing is known of any call: it did not load, or its result makes no sense."""
    fatal: int | None = None
    """The call in which the process ended, or after which the device is unusable."""
    undefined: bool = False
    """Whether a load left lanes undefined."""

    def every_failure(self) -> Iterator[Failure]:
        """Failures of the whole process, or of single calls."""
        if self.whole is not None:
            yield self.whole
        yield from self.failures.values()

    def has_answer(self, number: int) -> bool:
        """Whether there is an answer to judge."""
        return number in self.report.returned and number not in self.failures

    def merge_second_run(self, later: "CallResults", numbers: Sequence[int]) -> "CallResults":
        """Merge in what a second process returned for the calls with these numbers; of the first
        process only the call counts in which it ended."""
        undefined = self.undefined or later.undefined
        if later.whole is not None:
            lost = isinstance(later.whole, Void) and later.whole.reason is Reason.EVALUATOR
            if lost or not self.failures:
                return replace(later, undefined=undefined)
            return replace(self, report=WorkerReport(), fatal=None, undefined=undefined)
        found = {numbers[at]: one for at, one in later.failures.items()}
        return CallResults(
            _renumber(later.report, numbers), {**self.failures, **found}, undefined=undefined
        )


def results_of(run: WorkerRun, slots: Sequence[Slot]) -> CallResults:
    """Did it load, run and end? Errors in calls without kernels say nothing."""
    report, ending = run.report, run.ending
    found = CallResults(report, undefined=ending.undefined)
    if ending.lost:
        return replace(found, whole=classify_ending(ending, Stage.CALL))
    for error in report.errors:
        if error.call is None:
            return replace(found, whole=judge_exception(error, tuple(slots)))
    failures = dict(_failures(report, slots))
    if report.done and ending.clean:
        return replace(
            found, failures=failures | dict(_find_missing_answers(report, slots, failures))
        )
    ended = _describe_ending(run)
    if isinstance(ended, Broken) and not report.entry:
        ended = msgspec.structs.replace(ended, detail=ended.detail + AT_IMPORT)
    unfinished = replace(found, report=replace(report, returned={}, reordered={}))
    if isinstance(ended, Void):  # too slow for an interpreter: earlier failures count
        return replace(unfinished, failures=failures, whole=None if failures else ended)
    at = report.begun
    if at is None or (ending.clean and report.malformed):
        return replace(unfinished, whole=ended)
    if not slots[at].ablate:  # what the call raised says more than how the process ended
        failures.setdefault(at, msgspec.structs.replace(ended, case=slots[at].drawn.case.name))
    return replace(unfinished, failures=failures, fatal=at)


def _describe_ending(run: WorkerRun) -> Failure:
    if not run.ending.clean:
        return classify_ending(run.ending, Stage.CALL)
    detail = run.report.malformed or "the worker ended without finishing its result"
    return Broken(stage=Stage.CALL, reason=Reason.MALFORMED, detail=detail)


def _failures(report: WorkerReport, slots: Sequence[Slot]) -> Iterator[tuple[int, Failure]]:
    """Exceptions, and launches that failed; of several for one call the exception counts."""
    for number, trace in report.traces.items():
        if number is not None and not slots[number].ablate:
            found = judge_failed_launch(trace, slots[number].drawn.case.name)
            if found is not None:
                yield number, found
    for error in reversed(report.errors):
        if error.call is not None and not slots[error.call].ablate:
            yield error.call, judge_exception(error, tuple(slots))


def _find_missing_answers(
    report: WorkerReport, slots: Sequence[Slot], failures: Mapping[int, Failure]
) -> Iterator[tuple[int, Failure]]:
    """A result that says it is complete holds an answer to every call that had kernels."""
    for number, slot in enumerate(slots):
        if slot.ablate or number in report.returned or number in failures:
            continue
        detail = "the result says that it is complete, but the answer is missing"
        case = slot.drawn.case.name
        yield (
            number,
            Broken(stage=Stage.CALL, reason=Reason.MALFORMED, detail=detail, case=case),
        )


def _renumber(report: WorkerReport, numbers: Sequence[int]) -> WorkerReport:
    return replace(
        report,
        returned={numbers[at]: one for at, one in report.returned.items()},
        reordered={numbers[at]: one for at, one in report.reordered.items()},
        traces={None if at is None else numbers[at]: one for at, one in report.traces.items()},
        errors=[
            replace(one, call=None if one.call is None else numbers[one.call])
            for one in report.errors
        ],
        begun=None if report.begun is None else numbers[report.begun],
    )
