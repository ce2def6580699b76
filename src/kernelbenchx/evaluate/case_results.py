"""Every case of a submission: judged, or as far as it came."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from kernelbenchx import catalog
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Correct,
    Reason,
    Wrong,
)
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.calls import Slot
from kernelbenchx.judge.correctness import Passed, judge_case
from kernelbenchx.runner.exchange import Report
from kernelbenchx.spec.contract import Rung

SAID = 160
"""So many characters of how a case failed are kept; one of them says all in the outcome."""
DIGITS = 3
"""Of an error: more would be noise."""
_AGAIN = "with other values in the same memory: "


def judge_cases(
    attempt: Attempt, report: Report, slots: tuple[Slot, ...], rung: Rung
) -> Correct | Wrong:
    """Every case against the truth; where programs raced, in both orders.

    The first that fails is the outcome, and where that is for its values, the one of those whose
    values are furthest off. All are judged, since a person wants to see which fail together.
    """
    wrong: list[Wrong] = []
    worst, cases = 0.0, 0
    found: dict[str, CaseResult] = {}
    for (name, again), numbers in _numbers(slots).items():
        verdict = _judged(attempt, report, slots, numbers, rung)
        if isinstance(verdict, Passed):
            worst = max(worst, verdict.worst)
        else:
            wrong.append(verdict)
        cases += not again
        result = _result(name, verdict, _AGAIN if again else "")
        found[name] = _worse(found.get(name), result)
    attempt.cases = _in_order(attempt, found)
    return _headline(wrong, attempt.cases) if wrong else Correct(cases=cases, worst=worst)


def _headline(wrong: Sequence[Wrong], cases: Sequence[CaseResult]) -> Wrong:
    """Of several that are off alike the first that the task lists, whatever was called first."""
    if _furthest(wrong[0]) < 0:
        return wrong[0]
    listed = {one.case: number for number, one in enumerate(cases)}
    return max(wrong, key=lambda one: (_furthest(one), -listed[one.case]))


def _furthest(one: Wrong) -> float:
    """How far the values are off; less than nothing where it is wrong in another way."""
    if one.reason is not Reason.BAD_VALUES or one.worst is None:
        return -1.0
    return one.worst.error


def note_calls(attempt: Attempt, report: Report, slots: tuple[Slot, ...], failed: Broken) -> None:
    """What was called before a call broke; nothing where no call is known to have ended."""
    found: dict[str, CaseResult] = {}
    for (name, again), numbers in _numbers(slots).items():
        answered = all(n in report.returned or n in report.traces for n in numbers)
        state = CaseState.UNJUDGED if answered else CaseState.UNCALLED
        if not again or not answered:
            found[name] = CaseResult(name, state)
    if failed.case in found:
        said = f"{failed.reason.value}: {failed.detail}"[:SAID]
        found[failed.case] = CaseResult(failed.case, CaseState.BROKEN, None, said)
    if failed.case or report.returned:
        attempt.cases = _in_order(attempt, found)


def _numbers(slots: tuple[Slot, ...]) -> dict[tuple[str, bool], list[int]]:
    """Which calls belong to which case, in the order of their repetitions."""
    found: dict[tuple[str, bool], list[int]] = defaultdict(list)
    for number, slot in enumerate(slots):
        if not slot.ablate:
            found[slot.drawn.case.name, slot.again].append(number)
    for numbers in found.values():
        numbers.sort(key=lambda number: slots[number].repetition)
    return found


def _judged(
    attempt: Attempt, report: Report, slots: tuple[Slot, ...], numbers: list[int], rung: Rung
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
    return _race(other, report, numbers) if isinstance(other, Wrong) else verdict


def _race(wrong: Wrong, report: Report, numbers: list[int]) -> Wrong:
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


def _result(name: str, verdict: Passed | Wrong, note: str) -> CaseResult:
    if isinstance(verdict, Passed):
        return CaseResult(name, CaseState.PASSED, _short(verdict.worst))
    far = verdict.worst
    many = f"{far.bad} of {far.total} elements" if far and far.total > 1 else verdict.detail
    said = f"{note}{verdict.reason.value}: {verdict.pattern or many}"[:SAID]
    return CaseResult(name, CaseState.WRONG, None if far is None else _short(far.error), said)


def _short(error: float) -> float:
    """Fewer digits, but never on the other side of the border."""
    short = float(f"{error:.{DIGITS}g}")
    return short if (short > 1) == (error > 1) else error


def _worse(one: CaseResult | None, other: CaseResult) -> CaseResult:
    """Of two looks at the same case; the first where both are wrong."""
    if one is None:
        return other
    return max(one, other, key=_badness)


def _badness(one: CaseResult) -> tuple[bool, float]:
    wrong = one.state is CaseState.WRONG
    return wrong, 0.0 if wrong else one.error or 0.0


def _in_order(attempt: Attempt, found: dict[str, CaseResult]) -> tuple[CaseResult, ...]:
    """As the task lists its cases, whatever order they were called in."""

    def listed() -> Iterator[CaseResult]:
        for case in catalog.load(attempt.submission.task).checks:
            if case.name in found:
                yield found[case.name]

    return tuple(listed())
