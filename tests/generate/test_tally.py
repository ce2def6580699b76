import msgspec

from desks import reply
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Composition,
    Reason,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.performance import Failed, Performance
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.standards import Standard
from kernelbenchx.core.submission import Origin
from kernelbenchx.core.transcript import Exchange, Message, Request
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.run_tasks import End, TaskEnd
from kernelbenchx.generate.tally import Tally
from samples import evaluation, timed

TASK, OTHER = "activation/relu", "math/add"


def _tally() -> Tally:
    made = Tally()
    made.begin([TASK, OTHER])
    return made


def _at(
    name: str,
    round: int,
    performance: Performance | None = None,
    composition: Composition = Composition.PURE,
) -> Evaluation:
    return msgspec.structs.replace(
        evaluation(name, performance=performance),
        origin=Origin(round=str(round), step=name),
        composition=composition,
    )


def _exchange(cost: float | None) -> Exchange:
    request = Request(model="m", messages=(Message("user", "x"),), max_tokens=5)
    return Exchange(key="k", task=TASK, step="a", request=request, reply=reply("abc"), cost=cost)


def test_requests_tokens_and_money_are_summed_by_task() -> None:
    tally = _tally()
    tally.asking(MethodStep(TASK, "a"))
    tally.add_reply(_exchange(0.5))
    tally.add_reply(_exchange(0.25))
    one = tally.tasks[TASK]
    assert (one.asked, one.requests, one.prompt_tokens, one.completion_tokens) == (1, 2, 200, 6)
    assert one.cost == 0.75
    assert tally.tasks[OTHER].requests == 0
    assert one.by_place == 0
    tally.add_reply(msgspec.structs.replace(_exchange(None), recalled="place"))
    tally.add_reply(msgspec.structs.replace(_exchange(None), recalled="prompt"))
    assert one.by_place == 1


def test_without_a_price_there_is_no_cost() -> None:
    tally = _tally()
    tally.add_reply(_exchange(None))
    assert tally.tasks[TASK].cost is None


def test_a_task_is_solved_by_a_correct_kernel_and_by_nothing_else() -> None:
    tally = _tally()
    tally.add_verdict(
        evaluation("a", Broken(stage=Stage.CALL, reason=Reason.LOAD_ERROR, detail="no"))
    )
    tally.add_verdict(evaluation("b", Void(reason=Reason.EVALUATOR, detail="lost")))
    assert tally.solved == 0 and not tally.tasks[TASK].solved
    too_large = Failed(case="n=9", reason=Reason.RUNTIME_ERROR, detail="OutOfResources")
    tally.add_verdict(evaluation("large", performance=too_large))
    assert tally.solved == 0 and not tally.tasks[TASK].solved
    tally.add_verdict(_at("c", 1))
    tally.set_task_end(TaskEnd(TASK, End.DONE))
    one = tally.tasks[TASK]
    assert tally.solved == 1 and one.solved and not one.mixed
    assert (one.attempts, one.correct, one.void) == (4, 1, 1)
    assert one.ended == TaskEnd(TASK, End.DONE)


def test_the_best_is_pure_then_fast_then_early() -> None:
    tally = _tally()

    def best() -> str:
        found = tally.tasks[TASK].best
        assert found is not None
        return found.submission

    tally.add_verdict(_at("mixed", 0, timed(9.0), Composition.MIXED))
    assert best() == "mixed" and tally.tasks[TASK].mixed
    tally.add_verdict(_at("late", 2))
    tally.add_verdict(_at("early", 1))
    assert best() == "early" and not tally.tasks[TASK].mixed
    tally.add_verdict(_at("timed", 3, timed(1.2)))
    tally.add_verdict(_at("slower", 0, timed(1.1)))
    assert best() == "timed"


def test_what_counts_as_solved_is_a_choice() -> None:
    cases = (
        CaseResult("a", CaseState.PASSED),
        CaseResult("b", CaseState.WRONG, needs=(Scope.LAYOUT,)),
    )
    near = evaluation("near", Wrong(case="b", reason=Reason.BAD_VALUES, detail=""), cases=cases)
    for standard, solved in ((Standard.STRICT, 0), (Standard.CORE, 1)):
        tally = Tally(standard)
        tally.begin([TASK])
        tally.add_verdict(near)
        assert tally.solved == solved
