"""Steps of optimizers: what the family accepts and rejects."""

from typing import Any

import pytest
import torch

from kernelbenchx.spec import Close, Draw, Mutant, argument, case, optimizer_step
from kernelbenchx.spec.task import Task
from rejections import is_caught, living, refused_truths, scopes_of

Two = tuple[torch.Tensor, torch.Tensor]


def plain(param: torch.Tensor, grad: torch.Tensor, lr: float = 0.1) -> torch.Tensor:
    return param.copy_(param.float() - lr * grad.float())


def momentum(
    param: torch.Tensor, grad: torch.Tensor, buffer: torch.Tensor, step: int, lr: float = 0.1
) -> Two:
    kept = 0.9 * buffer.double() + grad.double()
    change = lr * kept / (1 - 0.9**step)
    return param.copy_(param.double() - change), buffer.copy_(kept)


def _sizes(param: torch.Tensor, grad: torch.Tensor, *rest: Any, lr: float = 0.1) -> Any:
    kept = sum((one.abs() for one in rest[:1]), grad.abs())
    moved = param.abs() + 10 * kept
    return (moved, kept) * 2 if rest else (moved, moved)


def _task(function: Any, **more: Any) -> Task:
    return optimizer_step(
        function,
        arguments=(argument("lr", not_given=None, small=0.01),),
        flops=2,
        contract=Close(scale=_sizes),
        timings=case(shape=(64,), dtype=torch.float32),
        difficulty=1,
        **more,
    )


PLAIN = _task(plain, state={})
MOMENTUM = _task(momentum, state={"buffer": "signed"})


@pytest.mark.parametrize("task", [PLAIN, MOMENTUM])
def test_the_reference_is_right_and_every_broken_promise_is_seen(task: Task) -> None:
    for seed in range(3):
        assert refused_truths(task, seed) == []
    assert living(task) == []


def test_near_misses_die() -> None:
    def at_most_a_dozen(
        param: torch.Tensor, grad: torch.Tensor, buffer: torch.Tensor, step: int, **words: Any
    ) -> Two:
        return momentum(param, grad, buffer, min(step, 12), **words)

    (alone,) = MOMENTUM.mutants
    assert isinstance(alone, Mutant) and alone.name == "buffer left alone"
    for seed in range(3):
        assert is_caught(MOMENTUM, alone.answer, seed)
        assert is_caught(MOMENTUM, at_most_a_dozen, seed)


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(MOMENTUM)
    assert asked["step", "thousands"] == asked["step", "first"] == set()
    assert asked["buffer_layout", "strided"] == asked["grad_layout", "expanded"] == {"layout"}
    assert ("layout", "expanded") not in asked  # it is written
    assert asked["values", "special"] == {"values"}


def test_the_state_of_the_first_step_is_zero_and_is_read_and_written() -> None:
    (timed,) = MOMENTUM.timings
    for step, is_zero in ((1, True), (2, False)):
        params = {**timed.params, "step": step}
        buffer = MOMENTUM.inputs(Draw.from_seed(0), **params).args[2]
        assert bool((buffer == 0).all()) is is_zero
    count = 64 * 4
    assert PLAIN.cost(**timed.params).bytes == 3 * count
    assert MOMENTUM.cost(**timed.params).bytes == 5 * count
    assert (PLAIN.writes, MOMENTUM.writes) == (("param",), ("param", "buffer"))
