"""Calls of a published problem: drawn and answered elsewhere, checked here."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import torch

from kernelbenchx.measure import published_calls as module
from kernelbenchx.measure.published_calls import CallForm, PublishedCalls
from kernelbenchx.problem_worker.timed_program import PublishedProgram
from kernelbenchx.spec.imported_problem import BadProblem
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing.clocks import Bound
from published_problems import FORWARD, NOT_A_NUMBER, RAISES, SCALED
from timing_host import serving

Ask = Callable[..., PublishedCalls]


@pytest.fixture
def ask() -> Iterator[Ask]:
    with ExitStack() as stack:

        def calls(source: str = SCALED, program: type = PublishedProgram) -> PublishedCalls:
            serves = program(source, "cpu", "fp32")
            runner = stack.enter_context(serving("problem", serves, trusted=True))
            return PublishedCalls(lambda: runner, "cpu")

        yield calls


def test_a_call_and_its_answer(ask: Ask) -> None:
    calls = ask()
    call = calls.draw_call(3, 5)
    (x,), scale = call.args, call.state["scale"]
    assert call.init == (33,) and call.weights_seed is None and call.loads
    answer = calls.answer(call)
    assert torch.equal(answer.native[0].value, torch.relu(x * scale + 1))
    assert torch.equal(answer.truth[0], torch.relu(x.double() * scale.double() + 1))
    again, other = calls.draw_call(3, 5), calls.draw_call(4, 5)
    assert torch.equal(again.args[0], x) and not torch.equal(other.args[0], x)
    assert other.state["scale"] is again.state["scale"], "one case has one set of weights"
    assert not torch.equal(calls.draw_call(3, 6).state["scale"], scale)


def test_weights_of_a_seed(ask: Ask) -> None:
    call = ask().draw_call(3, 5, "seed alone")
    torch.manual_seed(5)
    assert call.weights_seed == 5 and not call.loads
    assert torch.equal(call.state["scale"], torch.randn(33))


def test_strides_are_kept(ask: Ask) -> None:
    call = ask(SCALED.replace("torch.rand(rows, wide)", "torch.rand(wide, rows).t()")).draw_call(
        1, 1
    )
    assert call.args[0].shape == (5, 33) and call.args[0].stride() == (1, 5)
    wide = ask(SCALED.replace("torch.rand(rows, wide)", "torch.rand(1, wide).expand(rows, wide)"))
    assert wide.draw_call(1, 1).args[0].stride() == (33, 1), "repeated memory is not"


def test_arguments_that_are_no_tensors(ask: Ask) -> None:
    source = SCALED.replace("forward(self, x)", "forward(self, x, by)").replace("+ 1)", "+ by)")
    call = ask(source.replace("[torch.rand(rows, wide)]", "[torch.rand(rows, wide), 2]")).draw_call(
        1, 1
    )
    assert call.args[1] == 2 and type(call.args[1]) is int
    bad = source.replace("[torch.rand(rows, wide)]", "[torch.rand(rows, wide), object()]")
    with pytest.raises(BadProblem):
        ask(bad.replace("+ by)", "+ 1)")).draw_call(1, 1)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (RAISES, "the problem's own file: AttributeError"),
        (NOT_A_NUMBER, "its truth is not finite"),
        (SCALED.replace(FORWARD, "None"), "neither a tensor nor a number"),
        (SCALED.replace("rows, wide)]", "rows + int(torch.rand(1) * 9), wide)]"), "differ in form"),
    ],
    ids=["raises", "not finite", "no result", "other shapes"],
)
def test_what_a_file_gets_wrong_is_said_in_one_line(ask: Ask, source: str, said: str) -> None:
    calls = ask(source)
    with pytest.raises(BadProblem, match=said) as raised:
        for seed in range(9):
            calls.answer(calls.draw_call(seed, 1))
    assert "\n" not in str(raised.value)


class Full(PublishedProgram):
    """Has no memory left."""

    def bind(self, arguments: Arguments) -> Bound:
        del arguments
        raise torch.OutOfMemoryError("tried to get 90 GiB")


def test_too_little_memory_is_no_fault_of_the_file(ask: Ask) -> None:
    with pytest.raises(torch.OutOfMemoryError, match="90 GiB"):
        ask(program=Full).draw_call(1, 1)


class Lies(PublishedProgram):
    """Says something else of its calls than it gives."""

    said: dict[str, Any] = {}  # noqa: RUF012 - a test sets it

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:
        found, rest = super().record(arguments)
        return {**found, **self.said}, rest


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"leaves": []}, "neither a tensor nor a number"),
        ({"state": {"scale": {"dtype": "float32", "shape": [-1]}}}, "makes no sense"),
        ({"args": {"v": [{"t": "tensor", "dtype": "float32", "shape": [4]}]}}, "differ in form"),
        ({"args": {"v": [{"t": "generator"}]}}, "neither a tensor nor plain data"),
        ({"buffers": None}, "makes no sense"),
    ],
)
def test_what_its_process_says_is_checked(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, said: dict[str, Any], words: str
) -> None:
    monkeypatch.setattr(Lies, "said", said)
    with pytest.raises(BadProblem, match=words):
        ask(program=Lies).draw_call(1, 1)


def test_results_outside_their_room_are_refused() -> None:
    room = torch.zeros(512, dtype=torch.uint8)
    one = {"t": "tensor", "at": 1 << 40, "dtype": "float32", "shape": [4]}
    with pytest.raises(ValueError, match="outside its room"):
        module._in_room(one, room)
    with pytest.raises(ValueError, match="beyond its storage"):
        module._in_room({**one, "at": 504}, room)
    assert module._in_room({**one, "at": 0}, room).shape == (4,)


def test_bytes_of_results_are_known_before_a_call(ask: Ask) -> None:
    form = ask().form
    assert isinstance(form, CallForm) and form.result_bytes >= 5 * 33 * 4
    assert len(form.answers) == 3 and form.answers[1].dtype == torch.float64
