"""Every case is told apart: which passed, which failed and how, which was never reached."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.certify.wrong_answers import run_answer
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Correct,
    Reason,
    Stage,
    Void,
    Worst,
    Wrong,
)
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.call_results import CallResults
from kernelbenchx.evaluate.calls import Slot, cases_of, plan_slots
from kernelbenchx.evaluate.case_results import SAID, _choose_wrong, _round_error, judge_cases
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.runner.orders import WorkerReport
from kernelbenchx.spec.outputs import CallResult

TASK = "activation/relu"


@pytest.fixture
def attempt() -> EvaluationState:
    return EvaluationState(Submission(name="s", task=TASK, source=""), facts(TASK), ("relu",))


@pytest.fixture(scope="module")
def planned() -> tuple[Slot, ...]:
    return plan_slots(TASK, 3, 4)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.nn.functional.relu(input, inplace=inplace)


def never_half(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    """Right in float32 only."""
    found = relu(input, inplace)
    return found if input.dtype == torch.float32 else found.add_(1)


def _answers(planned: tuple[Slot, ...], answer: Callable[..., Any]) -> dict[int, CallResult]:
    task = catalog.load(TASK)
    return {
        number: run_answer(task, answer, slot.drawn.call, slot.repetition)
        for number, slot in enumerate(planned)
    }


def test_every_case_of_a_right_submission_passed(
    attempt: EvaluationState, planned: tuple[Slot, ...]
) -> None:
    outcome = judge_cases(
        attempt, CallResults(WorkerReport(returned=_answers(planned, relu))), planned, "cuda"
    )
    names = [case.name for case in cases_of(TASK, 3)]
    assert outcome == Correct(cases=len(names), worst=0.0)
    assert [one.case for one in attempt.cases] == names
    assert {(one.state, one.error, one.detail) for one in attempt.cases} == {
        (CaseState.PASSED, 0.0, "")
    }


def test_cases_say_whether_every_run_makes_them_or_the_seed_drew_them(
    attempt: EvaluationState, planned: tuple[Slot, ...]
) -> None:
    judge_cases(
        attempt, CallResults(WorkerReport(returned=_answers(planned, relu))), planned, "cuda"
    )
    corners = {one.case for one in attempt.cases if one.corner}
    drawn = {one.case for one in attempt.cases if one.corner is False}
    others = {case.name for case in cases_of(TASK, 4)}
    assert corners and corners <= others
    assert drawn - others and not corners & drawn


def test_cases_after_the_first_wrong_one_are_judged_too(
    attempt: EvaluationState, planned: tuple[Slot, ...]
) -> None:
    outcome = judge_cases(
        attempt, CallResults(WorkerReport(returned=_answers(planned, never_half))), planned, "cuda"
    )
    assert isinstance(outcome, Wrong) and outcome.error_map is not None
    wrong = {one.case for one in attempt.cases if one.state is CaseState.WRONG}
    passed = {one.case for one in attempt.cases if one.state is CaseState.PASSED}
    assert outcome.case in wrong
    assert any("dtype=float32" in name for name in passed)
    assert not any("dtype=float32" in name for name in wrong)
    assert len(wrong) > 1 and any("bfloat16" in name for name in wrong)
    said = next(one for one in attempt.cases if one.case == outcome.case)
    assert said.detail.startswith("bad_values: ") and len(said.detail) <= SAID
    assert said.error == float("inf")


def _off(case: str, error: float) -> Wrong:
    furthest = Worst(output="out", index=(0,), expected="1", got="2", error=error, bad=1, total=2)
    return Wrong(case=case, reason=Reason.BAD_VALUES, detail="", worst=furthest)


def test_the_outcome_is_the_case_whose_values_are_furthest_off() -> None:
    listed = [CaseResult(name, CaseState.WRONG) for name in "abcd"]
    wrong = [_off("d", 43.0), _off("c", 746.0), _off("b", 746.0), _off("a", 2.0)]
    assert _choose_wrong(wrong, listed).case == "b", "of two alike the first that the task lists"
    assert _choose_wrong([*wrong, _off("d", float("inf"))], listed).case == "d"
    shape = Wrong(case="d", reason=Reason.BAD_SHAPE, detail="")
    assert _choose_wrong([shape, *wrong], listed) is shape
    assert _choose_wrong([_off("a", 2.0), shape], listed).case == "a"


def test_a_case_that_fails_only_with_other_values_says_so(
    attempt: EvaluationState, planned: tuple[Slot, ...]
) -> None:
    found = _answers(planned, relu)
    (again,) = (number for number, slot in enumerate(planned) if slot.again)
    first = next(
        number
        for number, slot in enumerate(planned)
        if slot.drawn.case == planned[again].drawn.case and not slot.again and not slot.ablate
    )
    found[again] = found[first]
    outcome = judge_cases(attempt, CallResults(WorkerReport(returned=found)), planned, "cuda")
    assert isinstance(outcome, Wrong)
    (wrong,) = (one for one in attempt.cases if one.state is CaseState.WRONG)
    assert "other values in the same memory" in wrong.detail


def test_an_answer_that_changes_with_the_order_of_programs_is_a_race(
    attempt: EvaluationState, planned: tuple[Slot, ...]
) -> None:
    right, wrong = _answers(planned, relu), _answers(planned, never_half)
    number = next(
        number
        for number, slot in enumerate(planned)
        if "dtype=bfloat16" in slot.drawn.case.name
        and not (slot.ablate or slot.again)
        and slot.call.tensors()[0].numel()
    )
    races = [{"kernel": "k", "programs": [0, 1], "kind": "write-write", "tensor": "y"}]
    report = WorkerReport(returned=right, reordered={number: wrong[number]})
    report.traces[number] = {"races": races}
    outcome = judge_cases(attempt, CallResults(report), planned, "cuda")
    assert isinstance(outcome, Wrong) and outcome.reason is Reason.RACE
    assert outcome.error_map is not None and "k, programs [0, 1]" in outcome.detail
    same = WorkerReport(returned=right, reordered={number: right[number]})
    assert isinstance(judge_cases(attempt, CallResults(same), planned, "cuda"), Correct)


def _broken(case: str) -> Broken:
    return Broken(stage=Stage.CALL, reason=Reason.RUNTIME_ERROR, detail="no", case=case, line=3)


def test_a_call_that_breaks_leaves_the_others_judged(
    attempt: EvaluationState, planned: tuple[Slot, ...]
) -> None:
    at = [n for n, slot in enumerate(planned) if slot.drawn.needs and not slot.ablate][:2]
    failures = {n: _broken(planned[n].drawn.case.name) for n in at}
    called = CallResults(WorkerReport(returned=_answers(planned, never_half)), failures)
    outcome = judge_cases(attempt, called, planned, "cuda")
    assert isinstance(outcome, Broken) and outcome.case in {one.case for one in failures.values()}
    states = {one.case: one for one in attempt.cases}
    assert states[outcome.case].state is CaseState.BROKEN
    assert states[outcome.case].detail == "runtime_error: no"
    kinds = {one.state for one in attempt.cases}
    assert kinds == {CaseState.BROKEN, CaseState.WRONG, CaseState.PASSED}
    assert attempt.main_cause is not None and attempt.main_cause.reason is Reason.BAD_VALUES
    wrong = {one.case for one in attempt.cases if one.state is CaseState.WRONG}
    assert set(attempt.main_cause.cases) == wrong
    assert f"{len(wrong) + 2} fail; {len(wrong)} of them" in attempt.pattern
    assert "no (line 3)" not in attempt.pattern


def test_the_plainest_case_that_broke_is_the_outcome(
    attempt: EvaluationState, planned: tuple[Slot, ...]
) -> None:
    numbers = [n for n, slot in enumerate(planned) if not (slot.ablate or slot.again)]
    failures = {n: _broken(planned[n].drawn.case.name) for n in numbers}
    outcome = judge_cases(attempt, CallResults(WorkerReport(), failures), planned, "cuda")
    assert isinstance(outcome, Broken)
    assert outcome.case == next(one.case for one in attempt.cases if not one.needs)
    assert attempt.pattern == f"all {len(numbers)} cases fail: no (line 3)"


def test_the_case_that_broke_as_most_others_is_the_outcome(
    attempt: EvaluationState, planned: tuple[Slot, ...]
) -> None:
    numbers = [n for n, slot in enumerate(planned) if not (slot.ablate or slot.again)]
    numbers.sort(key=lambda n: planned[n].drawn.at)
    other = msgspec.structs.replace(_broken(planned[numbers[0]].drawn.case.name), detail="rare")
    failures: dict[int, Broken | Void] = {n: _broken(planned[n].drawn.case.name) for n in numbers}
    failures[numbers[0]] = other
    outcome = judge_cases(attempt, CallResults(WorkerReport(), failures), planned, "cuda")
    assert isinstance(outcome, Broken) and outcome.detail == "no"
    assert attempt.pattern.endswith(f"; {len(numbers) - 1} of them: no (line 3)")


def test_cases_that_no_process_reached_say_so(
    attempt: EvaluationState, planned: tuple[Slot, ...]
) -> None:
    at = next(n for n, slot in enumerate(planned) if not (slot.ablate or slot.again))
    failures = {at: _broken(planned[at].drawn.case.name)}
    outcome = judge_cases(attempt, CallResults(WorkerReport(), failures), planned, "cuda")
    assert isinstance(outcome, Broken)
    states = [one.state for one in attempt.cases]
    assert states.count(CaseState.BROKEN) == 1
    assert set(states) == {CaseState.BROKEN, CaseState.NOT_REACHED}
    assert "not reached" in attempt.pattern


def test_what_only_a_gpu_can_run_is_void_unless_something_failed(
    attempt: EvaluationState, planned: tuple[Slot, ...]
) -> None:
    void = Void(reason=Reason.NOT_INTERPRETABLE, detail="inline assembly")
    at, other = [n for n, slot in enumerate(planned) if not (slot.ablate or slot.again)][:2]
    right = WorkerReport(returned=_answers(planned, relu))
    assert judge_cases(attempt, CallResults(right, {at: void}), planned, "cuda") == void
    failures: dict[int, Broken | Void] = {
        at: void,
        other: _broken(planned[other].drawn.case.name),
    }
    outcome = judge_cases(attempt, CallResults(right, failures), planned, "cuda")
    assert isinstance(outcome, Broken)


def test_every_case_says_what_it_needs(attempt: EvaluationState, planned: tuple[Slot, ...]) -> None:
    right = CallResults(WorkerReport(returned=_answers(planned, relu)))
    judge_cases(attempt, right, planned, "cuda")
    needs = {one.case: set(one.needs or ()) for one in attempt.cases}
    said = {case.name: set(case.needs) for case in cases_of(TASK, 3) if case.needs is not None}
    assert said and needs | said == needs
    assert set() in needs.values() and {Scope.LAYOUT} in needs.values()


@pytest.mark.parametrize("error", [0.99999, 1.0, 1.0001, 0.123456, 46.123])
def test_a_shortened_error_stays_on_its_side_of_the_border(error: float) -> None:
    assert (_round_error(error) > 1) == (error > 1)
    assert _round_error(error) == pytest.approx(error, rel=0.005)
