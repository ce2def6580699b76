"""Losses of two tensors of one shape that hold different things, perhaps weighted."""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families.axes import is_flat
from kernelbenchx.spec.families.loss import loss, reduced_size
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, Chosen, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Shape = tuple[int, ...]
Pairs = Callable[[Draw, Shape, torch.dtype, str, Mapping[str, Any]], tuple[torch.Tensor, ...]]
"""Draws input and target for a word of the axis `values` and the arguments of the call."""


def pointwise_loss(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    pairs: Pairs,
    flops: int,
    reductions: tuple[str, ...] = (),
    reduced: str = "",
    arguments: tuple[Axis, ...] = (),
    corners: tuple[Chosen, ...] = (),
    valid: Callable[[Chosen], bool] = lambda _: True,
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family `loss` without classes, with these differences.

    `pairs` draws input and target together. `reductions`: more words for that argument, and
    `reduce_losses` says what all of them mean. A parameter `weight` broadcasts to the shape of
    the input.
    """
    weighted = "weight" in inspect.signature(function).parameters
    task = loss(
        function,
        scores=_drawn_in_pairs,
        classes=False,
        arguments=(*arguments, *((_WEIGHT_SHAPES,) if weighted else ())),
        valid=lambda chosen: _is_valid(chosen) and valid(chosen),
        promises=(*promises, *((_broadcasts(function),) if weighted else ())),
        cost=_Cost(flops),
        **rest,
    )
    assert task.space is not None
    more = tuple(Option(word, word) for word in reductions)
    axes = tuple(
        Axis(one.name, one.options + more) if one.name == "reduction" else one
        for one in task.space.axes
    )
    return replace(
        task,
        inputs=_Inputs(pairs),
        space=Space(axes, task.space.valid, task.space.corners + corners),
        promises=tuple(
            replace(one, text=reduced, options=(*one.options, *reductions))
            if reduced and one.axis == "reduction"
            else one
            for one in task.promises
        ),
    )


def reduce_losses(losses: torch.Tensor, reduction: str) -> torch.Tensor:
    """Losses as an argument `reduction` says."""
    if reduction == "none":
        return losses
    return losses.sum() / _divisor(losses, reduction)


def reduce_rounding(each: torch.Tensor, losses: torch.Tensor, reduction: str) -> torch.Tensor:
    """What rounding moves them by: `reduced_size`, for any reduction."""
    if reduction == "none":
        return each
    return reduced_size(each, losses, "sum") / _divisor(losses, reduction)


def plant_pairs(
    draw: Draw, x: torch.Tensor, target: torch.Tensor, pairs: tuple[tuple[float, float], ...]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Both with the two values of each pair at one random place, as many as there are places."""
    places = draw.places(x.numel(), len(pairs))
    planted = torch.tensor(pairs[: len(places)], dtype=x.dtype).reshape(-1, 2).to(draw.device)
    x.view(-1)[places], target.view(-1)[places] = planted[:, 0], planted[:, 1]
    return x, target


def _divisor(losses: torch.Tensor, reduction: str) -> int:
    counts = {"mean": losses.numel(), "batchmean": losses.shape[0] if losses.dim() else 1}
    return counts.get(reduction, 1)


def other_losses(change: Function, default: str = "mean", most: int = 1 << 40) -> Function:
    """`change(x, target, **words)` gives losses in float32, 0 beyond the first `most`.

    All else is right: the weight, the reduction and the dtype of the result.
    """

    def answer(
        input: torch.Tensor,
        target: torch.Tensor,
        weight: torch.Tensor | None = None,
        reduction: str = default,
        **words: Any,
    ) -> torch.Tensor:
        losses = change(input.float(), target.float(), **words).contiguous()
        losses.view(-1)[most:] = 0.0
        losses = losses if weight is None else losses * weight.float()
        return reduce_losses(losses, reduction).to(input.dtype)

    return answer


_WEIGHT_SHAPES = Axis(
    "weight_shape",
    (
        Option("same", OMITTED),
        Option("row", "row"),
        Option("column", "column"),
        Option("0-d", "0-d"),
    ),
)


def _is_valid(chosen: Chosen) -> bool:
    shape = chosen.get("weight_shape", "same")
    if shape == "same":
        return True
    if chosen["weight"] == "not given" or (shape == "0-d" and chosen["weight"] != "contiguous"):
        return False
    if is_flat(chosen):
        return shape == "0-d"
    return shape != "column" or chosen["shape"] not in ("vector", "long")


def weight_size(shape: Shape, kind: str = "same") -> Shape:
    """Of a weight that broadcasts to a shape."""
    sizes = {"row": shape[-1:], "column": (*shape[:-1], 1), "0-d": ()}
    return sizes.get(kind, shape)


def _drawn_in_pairs(*_: Any) -> torch.Tensor:
    raise NotImplementedError("inputs and targets are drawn together")


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs

    def __call__(  # noqa: PLR0913 - a parameter for each axis
        self,
        draw: Draw,
        shape: Shape,
        dtype: torch.dtype,
        layout: str = "contiguous",
        target_layout: str = "contiguous",
        weight: str | None = None,
        weight_shape: str = "same",
        values: str = "ordinary",
        **words: Any,
    ) -> Call:
        x, target = self.pairs(draw, shape, dtype, values, words)
        if weight is not None:
            size = weight_size(shape, weight_shape)
            words["weight"] = draw.laid_out(draw.uniform(size, dtype, 0.2, 3.0), weight)
        return call(draw.laid_out(x, layout), draw.laid_out(target, target_layout), **words)


class _Cost:
    """Every tensor is read once; written is one number, or one for each element."""

    def __init__(self, flops: int) -> None:
        self.flops = flops

    def __call__(
        self,
        shape: Shape,
        dtype: torch.dtype,
        reduction: str = "mean",
        weight: str | None = None,
        weight_shape: str = "same",
        **_: Any,
    ) -> Cost:
        count = math.prod(shape)
        written = count if reduction == "none" else 1
        read = 2 * count
        if weight is not None:
            read += math.prod(weight_size(shape, weight_shape))
        return Cost(flops=self.flops * count, bytes=(read + written) * dtype.itemsize)


def _broadcasts(function: Function) -> Promise:
    """Of `weight`, with a wrong answer."""

    def answer(
        input: torch.Tensor,
        target: torch.Tensor,
        weight: torch.Tensor | None = None,
        **words: Any,
    ) -> torch.Tensor:
        if weight is None or not input.numel():
            return function(input, target, weight, **words)
        turn = torch.arange(input.numel(), device=input.device) % weight.numel()
        return function(input, target, weight.flatten()[turn].reshape(input.shape), **words)

    return Promise(
        "`weight` has the dtype of `input` and a shape that broadcasts to that of `input`.",
        "weight_shape",
        ("row", "column", "0-d"),
        Mutant("weight read in turn", answer, ("weight",)),
    )
