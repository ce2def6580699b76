"""Losses of classes and of numbers: what the family accepts and rejects."""

from typing import Any

import pytest
import torch

from kernelbenchx.spec import Close, Cost, Draw, case, loss, reduced_size
from kernelbenchx.spec.task import Task
from rejections import is_caught, living, refused_truths, scopes_of


def absolute(input: torch.Tensor, target: torch.Tensor, reduction: str = "mean") -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    found = torch.nn.functional.l1_loss(input.to(wide), target.to(wide), reduction=reduction)
    return found.to(input.dtype)


def picked(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    factors = None if weight is None else weight.to(wide)
    words: dict[str, Any] = {"ignore_index": ignore_index, "reduction": reduction}
    return torch.nn.functional.nll_loss(input.to(wide), target, factors, **words).to(input.dtype)


def _size(input: torch.Tensor, target: torch.Tensor, reduction: str = "mean") -> torch.Tensor:
    return reduced_size(input.abs() + target.abs(), input - target, reduction)


def _size_of_picked(input: torch.Tensor, target: torch.Tensor, **words: Any) -> torch.Tensor:
    losses = picked(input, target, **words | {"reduction": "none"}).abs()
    weights = picked(-torch.ones_like(input), target, **words | {"reduction": "none"})
    return reduced_size(losses, losses, words.get("reduction", "mean"), weights)


def _scores(draw: Draw, shape: Any, dtype: torch.dtype, values: str) -> torch.Tensor:
    x = draw.normal(shape, dtype, 100.0 if values == "large" else 1.0)
    return x.masked_fill(draw.booleans(shape, 0.5), float("nan")) if values == "special" else x


def _task(function: Any, size: Any, **more: Any) -> Task:
    return loss(
        function,
        scores=_scores,
        contract=Close(scale=size),
        cost=lambda **_: Cost(flops=1, bytes=1),
        timings=case(shape=(8, 8), dtype=torch.float32),
        mutants=(),
        difficulty=1,
        **more,
    )


NUMBERS = _task(absolute, _size, values=("large",), classes=False)
CLASSES = _task(
    picked,
    _size_of_picked,
    values=("large", "special"),
    corners=({"values": "special", "reduction": "none", "ignored": "some"},),
)


@pytest.mark.parametrize("task", [NUMBERS, CLASSES])
def test_the_reference_is_right_and_every_broken_promise_is_seen(task: Task) -> None:
    for seed in range(3):
        assert refused_truths(task, seed) == []
    assert living(task) == []


def _mean_of_all(input: torch.Tensor, target: torch.Tensor, **words: Any) -> torch.Tensor:
    if words.get("reduction", "mean") != "mean":
        return picked(input, target, **words)
    return picked(input, target, **words | {"reduction": "none"}).mean()


def _targets_in_order(input: torch.Tensor, target: torch.Tensor, **words: Any) -> torch.Tensor:
    flat = target.as_strided(target.shape, torch.empty(target.shape, device="meta").stride())
    return picked(input, flat, **words)


def test_near_misses_die() -> None:
    for seed in range(3):
        assert is_caught(CLASSES, _mean_of_all, seed)
        assert is_caught(CLASSES, _targets_in_order, seed)


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(CLASSES)
    assert asked["weight", "contiguous"] == asked["ignore", "a class"] == set()
    assert asked["weight", "strided"] == asked["target_layout", "strided"] == {"layout"}
    assert asked["shape", "empty"] == asked["shape", "one sample"] == {"degenerate"}
    assert asked["shape", "long rows"] == {"scale"}
    assert {axis for axis, _ in scopes_of(NUMBERS)}.isdisjoint({"weight", "ignore", "ignored"})


def test_a_mean_is_rounded_as_its_sum_divided_by_the_weights() -> None:
    each, losses = torch.ones(16).double(), torch.full((16,), 2.0).double()
    assert reduced_size(each, losses, "none") is each
    assert reduced_size(each, losses, "sum").item() == 16 + 32
    assert reduced_size(each, losses, "mean").item() == 3
    assert reduced_size(each, losses, "mean", torch.ones(8)).item() == 6
