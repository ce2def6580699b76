"""A kernel as its method knows it: judged for feedback when the method asks, and once."""

import msgspec

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import CaseResult, CaseState, Composition, Reason, Wrong
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.standards import Standard
from kernelbenchx.generate.judged_kernel import JudgedKernel
from samples import evaluation, timed


def _judged(found: Evaluation) -> JudgedKernel:
    return JudgedKernel("name", "source", lambda: found)


def test_an_evaluation_is_made_when_it_is_asked_for_and_once() -> None:
    made: list[int] = []

    def look() -> Evaluation:
        made.append(1)
        return evaluation()

    one = JudgedKernel("name", "source", look)
    assert made == []
    assert one.with_evaluation() is one and made == [1]
    assert one.correct and made == [1]


def test_solved_is_correct_by_kernels_alone() -> None:
    right = evaluation(performance=timed(1.5))
    mixed = msgspec.structs.replace(right, composition=Composition.MIXED)
    wrong = evaluation(outcome=Wrong(case="c", reason=Reason.BAD_VALUES, detail="far"))
    states = [(one.correct, one.solved) for one in map(_judged, (right, mixed, wrong))]
    assert states == [(True, True), (True, False), (False, False)]
    assert _judged(right).speedup == 1.5 and _judged(wrong).speedup is None


def test_what_counts_as_correct_is_a_choice() -> None:
    cases = (
        CaseResult("a", CaseState.PASSED),
        CaseResult("b", CaseState.WRONG, needs=(Scope.LAYOUT,)),
    )
    wrong = Wrong(case="b", reason=Reason.BAD_VALUES, detail="far")
    near = evaluation(outcome=wrong, cases=cases)
    near = msgspec.structs.replace(near, core_performance=timed(2.0))
    by_core = JudgedKernel("name", "source", lambda: near, Standard.CORE)
    assert by_core.solved and by_core.speedup == 2.0
    assert not _judged(near).correct
