"""What torch operators become in a plan; the calls run on the host, where nothing is launched."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from kernelbenchx.worker.timing.operator_steps import OperatorSteps
from kernelbenchx.worker.timing.recorded_memory import RecordedMemory
from kernelbenchx.worker.timing.recorded_steps import READS, RecordedSteps


def _noted(body: Callable[[torch.Tensor], Any]) -> RecordedSteps:
    storage = torch.arange(24, dtype=torch.float32).view(torch.uint8)
    x = storage.view(torch.float32).view(4, 6)
    notes = RecordedSteps(RecordedMemory({0: storage}), lambda: 0)
    with OperatorSteps(notes):
        notes.result = body(x)  # type: ignore[attr-defined]  # keeps it alive
    return notes


def _steps(body: Callable[[torch.Tensor], Any]) -> list[str]:
    notes = _noted(body)
    assert notes.reason == ""
    return [str(step["t"]) for step in notes.steps]


@pytest.mark.parametrize(
    "body",
    [
        lambda x: x.t()[1:].unsqueeze(0).expand(3, 5, 4),
        lambda x: x.view(-1).view(torch.int32).detach(),
        lambda x: x.chunk(2)[0].unbind(0),
        lambda x: torch.empty_like(x).t_().unsqueeze_(0).squeeze_(),
        lambda x: [torch.empty(3), x.new_empty(2), torch.empty_strided((2,), (3,))],
        lambda _: torch.zeros(0, 5).copy_(torch.ones(0, 5)),
        lambda x: x.contiguous().to(torch.float32).reshape(-1),
    ],
)
def test_views_and_bare_memory_are_no_steps(body: Callable[[torch.Tensor], Any]) -> None:
    assert _steps(body) == []


@pytest.mark.parametrize(
    ("body", "number"),
    [
        (lambda _: torch.zeros(3), 0),
        (lambda x: torch.zeros_like(x), 0),
        (lambda x: x.new_ones(2), 1),
        (lambda _: torch.full((2, 2), 2.5), 2.5),
        (lambda _: torch.full((2, 2), fill_value=7), 7),
        (lambda x: x.new_full((3,), -1), -1),
        (lambda _: torch.empty(4).zero_(), 0),
        (lambda _: torch.empty(4).fill_(float("inf")), float("inf")),
        (lambda _: torch.empty(4)[1:3].fill_(3.0), 3.0),
        (lambda x: x.__setitem__((slice(None), 0), 1.5), 1.5),
        (lambda _: torch.tensor(2.0).to(torch.float64), 2.0),
    ],
)
def test_numbers_are_filled_in(body: Callable[[torch.Tensor], Any], number: float) -> None:
    notes = _noted(body)
    (step,) = notes.steps
    assert (notes.reason, step["t"]) == ("", "fill")
    value = step["value"]["v"]
    assert (float.fromhex(value) if isinstance(value, str) else value) == number


def test_a_part_that_is_filled_is_described_as_a_part() -> None:
    (step,) = _noted(lambda x: x[:, 2:4].fill_(1)).steps
    assert step["target"] == {
        "buffer": 0,
        "dtype": "float32",
        "shape": [4, 2],
        "strides": [6, 1],
        "offset": 2,
    }


@pytest.mark.parametrize(
    "body",
    [
        lambda x: x.t().contiguous(),
        lambda x: x.half(),
        lambda x: x.to(torch.float64, copy=True),
        lambda x: x.clone(),
        lambda x: x.t().reshape(-1),
        lambda x: torch.empty_like(x).copy_(x),
        lambda x: torch.empty(5, 4, 6, dtype=torch.int32).copy_(x),
        lambda x: torch.empty(4).copy_(x[:, 0]),
    ],
)
def test_copies_and_casts_are_copies(body: Callable[[torch.Tensor], Any]) -> None:
    (step,) = _noted(body).steps
    assert step["t"] == "copy"
    assert step["source"]["buffer"] == 0
    assert step["target"]["shape"] == step["source"]["shape"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (lambda x: x @ x.t(), "torch operator aten.mm"),
        (lambda x: x + 1, "torch operator aten.add"),
        (lambda x: x.sum(), "torch operator aten.sum"),
        (lambda _: torch.arange(3), "torch operator aten.arange"),
        (lambda _: torch.empty(1).resize_(4), "torch operator aten.resize_"),
        (lambda x: x[0, 0].item(), "reads a value on the host"),
        (lambda x: int(x[0, 0]), "reads a value on the host"),
        (lambda x: torch.equal(x, x), "reads a value on the host"),
        (lambda _: torch.rand(3), "draws random numbers (aten.rand)"),
        (lambda _: torch.empty(3).uniform_(), "draws random numbers (aten.uniform_)"),
        (lambda _: torch.tensor([1.0, 2.0]).clone(), "from numbers of the host"),
        (lambda _: torch.ones(2, 2).to_sparse(), "torch operator aten"),
        (lambda x: x.to("meta"), "copies between the host and the GPU"),
        (lambda x: torch.empty(4, 6, device="meta").copy_(x), "copies between the host and"),
    ],
)
def test_everything_else_is_a_reason(body: Callable[[torch.Tensor], Any], why: str) -> None:
    assert why in _noted(body).reason


def test_memory_from_before_the_call_is_a_reason() -> None:
    before = torch.ones(3)
    assert "not made in this call" in _noted(lambda _: torch.empty(3).copy_(before)).reason


@pytest.mark.parametrize(
    ("body", "obstacle"),
    [
        (lambda x: x[0, 0].item(), READS),
        (lambda x: x.sum().item(), f"torch operator aten.sum, {READS}"),
        (lambda x: x[x > 0.5], f"torch operator aten.gt, {READS}"),
        (lambda x: torch.nonzero(x), f"torch operator aten.nonzero, {READS}"),
        (lambda x: x.__setitem__(x > 0.5, 0.0), f"torch operator aten.gt, {READS}"),
        (lambda x: torch.linalg.inv(x[:1, :1] + 9), f"torch operator aten.add, {READS}"),
        (lambda x: torch.rand_like(x)[0, 0].item(), f"aten.rand_like), {READS}"),
        (lambda x: x.to("meta"), READS),  # stands for another device
        (lambda x: torch.empty(4, 6, device="meta").copy_(x), READS),
    ],
)
def test_that_the_host_waits_for_a_value_is_said_whatever_comes_first(
    body: Callable[[torch.Tensor], Any], obstacle: str
) -> None:
    assert _noted(body).obstacle.endswith(obstacle)


@pytest.mark.parametrize(
    ("body", "obstacle"),
    [
        (lambda x: x.clone(), ""),
        (lambda x: x.sum(), "torch operator aten.sum"),
        (lambda x: x[torch.empty(2, dtype=torch.int64).fill_(1)], "torch operator aten.index"),
        (lambda _: torch.tensor(2.0).to(torch.float64), ""),
    ],
)
def test_who_goes_on_without_a_value_does_not_read(
    body: Callable[[torch.Tensor], Any], obstacle: str
) -> None:
    assert _noted(body).obstacle == obstacle
