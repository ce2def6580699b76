"""Layer norm as the last step of fused tasks: its arguments, its rounding, and its mistakes."""

import math
from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec.families.mistakes import ignore_argument
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, FreshValue, Option

Shape = tuple[int, ...]
Function = Callable[..., torch.Tensor]
Before = Callable[..., torch.Tensor]
"""What is normalized, in float32 at least, from all arguments by name."""
Width = Callable[[torch.Tensor, torch.Tensor, Shape, float], torch.Tensor]
"""What deviations are divided by: of values, their mean, the dimensions and eps."""


def normalized_shapes() -> Axis:
    """The argument `normalized_shape`, for a shape (..., K, N) of a linear layer."""

    def of_shape(over: Callable[[Shape], Any]) -> FreshValue:
        return FreshValue(lambda _chance, before: over(before["shape"]))

    return Axis(
        "normalized_shape",
        (
            Option("not given", OMITTED),
            Option("int", of_shape(lambda shape: shape[-1])),
            Option("one", of_shape(lambda shape: shape[-1:])),
            Option("Size", of_shape(lambda shape: torch.Size(shape[-1:]))),
            Option("two", of_shape(lambda shape: (shape[-3], shape[-1]))),
            Option("all", of_shape(lambda shape: (*shape[:-2], shape[-1]))),
        ),
    )


def normalized_sizes(given: int | Shape | torch.Size | None, last: int) -> Shape:
    """The sizes that `normalized_shape` stands for; None for the last one."""
    if given is None:
        return (last,)
    return (given,) if isinstance(given, int) else tuple(given)


def normalized_shape_promise(function: Function) -> Promise:
    """What may be given."""
    return Promise(
        "normalized_shape is an int, tuple or torch.Size that equals the trailing sizes of r; "
        "None means (N,).",
        "normalized_shape",
        ("int", "one", "Size", "two", "all"),
        ignore_argument(function, "normalized_shape"),
    )


def moved_by_rounding(
    x: torch.Tensor, moved: torch.Tensor, dims: Shape, eps: float
) -> torch.Tensor:
    """How far normalized values move if each x, and with it the mean and the deviation, moves."""
    away = x - x.mean(dims, keepdim=True)
    width = (away.square().mean(dims, keepdim=True) + eps).sqrt()
    moved = (moved + moved.mean(dims, keepdim=True)) / width
    y = away / width
    return moved + y.abs() * (1.0 + (y.abs() * moved).mean(dims, keepdim=True))


def rounded_before(before: Before) -> Function:
    """A wrong answer: 16 bits are rounded before they are normalized."""
    return _normalizing(before, _right_width, rounded=True)


def wrong_widths(before: Before) -> tuple[Mutant, ...]:
    """Wrong answers that divide by something else."""
    return (
        Mutant("the variance is unbiased", _normalizing(before, _unbiased_width)),
        Mutant("eps is added to the deviation", _normalizing(before, _eps_outside), ("eps",)),
        Mutant("variance as E[x^2] - m^2", _normalizing(before, _one_pass)),
    )


def _normalizing(before: Before, width: Width, rounded: bool = False) -> Function:
    def answer(
        input: torch.Tensor,
        *args: Any,
        normalized_shape: Any = None,
        eps: float = 1e-5,
        **words: Any,
    ) -> torch.Tensor:
        words.pop("elementwise_affine", None)
        x = before(input, *args, **words)
        x = x.to(input.dtype).float() if rounded else x
        dims = tuple(range(-len(normalized_sizes(normalized_shape, x.shape[-1])), 0))
        mean = x.mean(dims, keepdim=True)
        return ((x - mean) / width(x, mean, dims, eps)).to(input.dtype)

    return answer


def _right_width(x: torch.Tensor, mean: torch.Tensor, dims: Shape, eps: float) -> torch.Tensor:
    return ((x - mean).square().mean(dims, keepdim=True) + eps).sqrt()


def _unbiased_width(x: torch.Tensor, mean: torch.Tensor, dims: Shape, eps: float) -> torch.Tensor:
    count = math.prod(x.shape[dim] for dim in dims)
    return ((x - mean).square().sum(dims, keepdim=True) / max(count - 1, 1) + eps).sqrt()


def _eps_outside(x: torch.Tensor, mean: torch.Tensor, dims: Shape, eps: float) -> torch.Tensor:
    return (x - mean).square().mean(dims, keepdim=True).sqrt() + eps


def _one_pass(x: torch.Tensor, mean: torch.Tensor, dims: Shape, eps: float) -> torch.Tensor:
    variance = x.square().mean(dims, keepdim=True) - mean.square()
    return (variance.clamp(min=0) + eps).sqrt()
