"""Judges every case of a submission on its own."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from kernelbenchx import catalog
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Correct,
    Reason,
    Void,
    Wrong,
)
from kernelbenchx.evaluate.call_results import CallResults, Failure
from kernelbenchx.evaluate.calls import DrawnCase, Slot
from kernelbenchx.evaluate.common_cause import describe_failures
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.main_cause import find_main_cause, largest_group
from kernelbenchx.judge.correctness import Passed, judge_case
from kernelbenchx.runner.orders import WorkerReport
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.contract import Rung
from kernelbenchx.spec.task import Task

SAID = 160
"""Characters kept of the description of a failed case; the outcome has one in full."""
DIGITS = 3
"""Significant digits of an error: more would be noise."""
_AGAIN = "with other values in the same memory: "

Verdict = Passed | Wrong | Broken | Void | None
"""None: no process reached it."""


def judge_cases(
    attempt: EvaluationState, called: CallResults, slots: tuple[Slot, ...], rung: Rung
) -> Correct | Wrong | Broken | Void:
    """Every case against the truth; where programs raced, in both orders.

    One case that breaks makes the outcome broken, one that is wrong makes it wrong. All others are
    judged too, to show which fail together.
    """
    verdicts: dict[tuple[str, bool], Verdict] = {}
    for named, numbers in _group_by_case(slots).items():
        verdicts[named] = _verdict(attempt, called, slots, numbers, rung)
    listed = _list_cases(slots)
    found: dict[str, CaseResult] = {}
    for (name, again), verdict in verdicts.items():
        result = _result(name, verdict, _AGAIN if again else "")
        found[name] = _worse(found.get(name), result)
    attempt.cases = tuple(
        msgspec.structs.replace(
            found[name],
            needs=tuple(sorted(one.needs)),
            corner=one.case.corner,
            dtype=one.dtype,
        )
        for name, one in listed.items()
        if name in found
    )
    outcome = _outcome(list(verdicts.values()), attempt.cases)
    if isinstance(outcome, Correct):
        return msgspec.structs.replace(outcome, cases=sum(not again for _, again in verdicts))
    task = catalog.load(attempt.submission.task)
    attempt.cases = tuple(
        msgspec.structs.replace(one, trivial=listed[one.case].is_trivial(task))
        for one in attempt.cases
    )
    judged = [(listed[one.case].case, one) for one in attempt.cases]
    strided = {name: _not_contiguous(task, one.call) for name, one in listed.items()}
    failures = _failures(verdicts)
    attempt.main_cause = find_main_cause(
        [failures[one.case] for one in attempt.cases if one.case in failures],
        attempt.submission.source,
    )
    attempt.pattern = describe_failures(judged, outcome, strided, attempt.main_cause)
    return outcome


def _failures(verdicts: Mapping[tuple[str, bool], Verdict]) -> dict[str, Broken | Wrong]:
    """Failures by case; one that broke in one run and was wrong in the other is broken."""
    found: dict[str, Broken | Wrong] = {}
    for (name, _), verdict in verdicts.items():
        if isinstance(verdict, Broken | Wrong):
            known = found.get(name)
            found[name] = verdict if known is None or isinstance(verdict, Broken) else known
    return {name: msgspec.structs.replace(one, case=name) for name, one in found.items()}


def _not_contiguous(task: Task, call: Call) -> list[str]:
    named = zip(task.tensor_names(call), call.tensors(), strict=True)
    return [name for name, tensor in named if not tensor.is_contiguous()]


def failed_calls(called: CallResults, slots: tuple[Slot, ...]) -> Failure | None:
    """The outcome if answers are not judged: only broken calls count."""
    broken = [verdict for verdict in called.failures.values() if isinstance(verdict, Broken | Void)]
    if not broken:
        return None
    return _first_broken(
        broken, {name: (len(one.needs), one.at) for name, one in _list_cases(slots).items()}
    )


def _outcome(
    verdicts: Sequence[Verdict], cases: Sequence[CaseResult]
) -> Correct | Wrong | Broken | Void:
    """A failed case outranks one that only a GPU could run."""
    order = {one.case: (len(one.needs), at) for at, one in enumerate(cases)}
    broken = [one for one in verdicts if isinstance(one, Broken)]
    if broken:
        return _first_broken(broken, order)
    wrong = [one for one in verdicts if isinstance(one, Wrong)]
    if wrong:
        return _choose_wrong(largest_group(wrong, order), cases)
    void = [one for one in verdicts if isinstance(one, Void)]
    if void:
        return void[0]
    passed = [one for one in verdicts if isinstance(one, Passed)]
    return Correct(cases=len(passed), worst=max((one.worst for one in passed), default=0.0))


def _first_broken(broken: Sequence[Broken | Void], order: Mapping[str, tuple[int, int]]) -> Failure:
    """Of the most frequent kind of breakage, the plainest case that the task lists first."""
    named = [one for one in broken if isinstance(one, Broken)]
    return largest_group(named, order)[0] if named else broken[0]


def _choose_wrong(wrong: Sequence[Wrong], cases: Sequence[CaseResult]) -> Wrong:
    """Of several that are off alike the first that the task lists, whatever was called first."""
    if _furthest(wrong[0]) < 0:
        return wrong[0]
    listed = {one.case: number for number, one in enumerate(cases)}
    return max(wrong, key=lambda one: (_furthest(one), -listed[one.case]))


def _furthest(one: Wrong) -> float:
    """How far the values are off; negative if it is wrong in another way."""
    if one.reason is not Reason.BAD_VALUES or one.worst is None:
        return -1.0
    return one.worst.error


def _group_by_case(slots: tuple[Slot, ...]) -> dict[tuple[str, bool], list[int]]:
    """Which calls belong to which case, in the order of their repetitions."""
    found: dict[tuple[str, bool], list[int]] = defaultdict(list)
    for number, slot in enumerate(slots):
        if not slot.ablate:
            found[slot.drawn.case.name, slot.again].append(number)
    for numbers in found.values():
        numbers.sort(key=lambda number: slots[number].repetition)
    return found


def _verdict(
    attempt: EvaluationState,
    called: CallResults,
    slots: tuple[Slot, ...],
    numbers: list[int],
    rung: Rung,
) -> Verdict:
    failures = [called.failures[number] for number in numbers if number in called.failures]
    for kind in (Broken, Void):
        for one in failures:
            if isinstance(one, kind):
                return one
    if not all(map(called.has_answer, numbers)):
        return None
    return _judge_answers(attempt, called.report, slots, numbers, rung)


def _judge_answers(
    attempt: EvaluationState,
    report: WorkerReport,
    slots: tuple[Slot, ...],
    numbers: list[int],
    rung: Rung,
) -> Passed | Wrong:
    task = catalog.load(attempt.submission.task)
    drawn = slots[numbers[0]].drawn
    returned = [
        replace(report.returned[n], flags=tuple(report.traces.get(n, {}).get("flags", ())))
        for n in numbers
    ]
    verdict = judge_case(task, drawn.case, drawn.call, returned, rung, drawn.truth)
    if isinstance(verdict, Wrong) or not any(number in report.reordered for number in numbers):
        return verdict
    again = [report.reordered.get(n, report.returned[n]) for n in numbers]
    other = judge_case(task, drawn.case, drawn.call, again, rung, drawn.truth)
    return _describe_race(other, report, numbers) if isinstance(other, Wrong) else verdict


def _describe_race(wrong: Wrong, report: WorkerReport, numbers: list[int]) -> Wrong:
    races = [race for n in numbers for race in report.traces.get(n, {}).get("races", ())]
    detail = "the answer depends on the order of programs"
    if races:
        first = races[0]
        detail += (
            f": {first.get('kernel', 'a kernel')}, programs {first.get('programs', [])}, "
            f"{first.get('kind', 'race')} of {first.get('tensor', 'a tensor')}"
        )
    else:
        detail += ", which atomics do not fix"
    return msgspec.structs.replace(wrong, reason=Reason.RACE, detail=detail[:1000])


def _result(name: str, verdict: Verdict, note: str) -> CaseResult:
    if isinstance(verdict, Passed):
        return CaseResult(name, CaseState.PASSED, _round_error(verdict.worst))
    if verdict is None or isinstance(verdict, Void):
        said = "" if verdict is None else f"{verdict.reason.value}: {verdict.detail}"[:SAID]
        return CaseResult(name, CaseState.NOT_REACHED, None, said)
    if isinstance(verdict, Broken):
        said = f"{note}{verdict.reason.value}: {verdict.detail}"[:SAID]
        return CaseResult(name, CaseState.BROKEN, None, said)
    far = verdict.worst
    many = f"{far.bad} of {far.total} elements" if far and far.total > 1 else verdict.detail
    said = f"{note}{verdict.reason.value}: {verdict.pattern or many}"[:SAID]
    return CaseResult(name, CaseState.WRONG, None if far is None else _round_error(far.error), said)


def _round_error(error: float) -> float:
    """Round to fewer digits, never across the border between right and wrong."""
    short = float(f"{error:.{DIGITS}g}")
    return short if (short > 1) == (error > 1) else error


def _worse(one: CaseResult | None, other: CaseResult) -> CaseResult:
    """The worse of two judgements of one case; the first if both are wrong."""
    if one is None:
        return other
    return max(one, other, key=_badness)


_SEVERITY = (CaseState.PASSED, CaseState.NOT_REACHED, CaseState.WRONG, CaseState.BROKEN)


def _badness(one: CaseResult) -> tuple[int, float]:
    passed = one.state is CaseState.PASSED
    return _SEVERITY.index(one.state), (one.error or 0.0) if passed else 0.0


def _is_plain(slot: Slot) -> bool:
    return not slot.ablate and not slot.again


def _list_cases(slots: Sequence[Slot]) -> dict[str, DrawnCase]:
    """The cases by name, as the task lists them, whatever order they were called in."""
    drawn = sorted((slot.drawn for slot in slots if _is_plain(slot)), key=lambda one: one.at)
    return {one.case.name: one for one in drawn}
