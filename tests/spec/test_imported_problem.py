"""A problem whose calls come with their answers."""

from dataclasses import replace

import pytest
import torch

from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.imported_problem import (
    Answer,
    AnsweredCall,
    BadProblem,
    CallRequest,
    Probe,
    drawing_by,
    imported_problem,
)
from kernelbenchx.spec.outputs import Leaf

CASE = Case({"values": "normal"})
PROBE = Probe({"n": 4}, ("normal", "published"), False, ("scale",), {})


class Model:
    def __init__(self, n: int) -> None: ...

    def forward(self, x: torch.Tensor) -> None: ...


TASK = imported_problem(Model, "the text", 1, 9)


def drawn(text: str, request: CallRequest) -> AnsweredCall:
    assert text == "the text"
    x = torch.full((4,), float(request.inputs_seed))
    native = Leaf("out", "tensor", x + request.weights_seed)
    answer = Answer((native,), (native.value.double(),), (torch.full((4,), 1e-6).double(),))
    return AnsweredCall(args=(x,), init=(4,), answer=answer)


def test_calls_are_drawn_where_a_sandbox_is_and_nowhere_else() -> None:
    with pytest.raises(BadProblem, match="which was not started here"):
        TASK.draw(CASE, 1)
    with drawing_by(drawn, lambda _: PROBE):
        assert TASK.draw(CASE, 3).args[0][0] == 3
        assert [one.params["values"] for one in TASK.cases(0)] == ["normal", "published"]
        assert TASK.constants == ("scale",)
    with pytest.raises(BadProblem):
        TASK.cases(0)


def test_truth_and_budget_are_those_of_the_call() -> None:
    with drawing_by(drawn, lambda _: PROBE):
        call = TASK.draw_with(CASE, 3, 2)
    assert TASK.native(call).leaves[0].value[0] == 5
    truth = [leaf.value for leaf in TASK.exact(call).leaves]
    assert truth[0].dtype == torch.float64
    assert isinstance(TASK.contract, Close)
    budget = TASK.contract.budgets(call, truth, [torch.float32])[0]
    assert float(budget[0]) == pytest.approx(16e-6 + 4 * 2**-21, rel=1e-3)
    for other in (call.copy(), call.widen()):
        assert isinstance(other, AnsweredCall) and other.known is call.known


def test_a_call_without_its_answer_is_not_judged() -> None:
    with drawing_by(drawn, lambda _: PROBE):
        call = replace(TASK.draw(CASE, 1), answer=None)
    with pytest.raises(BadProblem, match="without its answer"):
        TASK.native(call)
    with pytest.raises(BadProblem, match="does not run in this process"):
        TASK.outputs(Model, call)


def test_another_precision_asks_for_its_own_calls() -> None:
    asked: list[CallRequest] = []

    def noted(text: str, request: CallRequest) -> AnsweredCall:
        asked.append(request)
        return drawn(text, request)

    with drawing_by(noted, lambda _: PROBE):
        TASK.at("bf16").from_the_seed().draw(CASE, 1)
        TASK.draw(CASE, 1)
    assert (asked[0].precision, asked[0].weights) == ("bf16", "seed alone")
    assert (asked[1].precision, asked[1].weights) == ("fp32", "drawn")
