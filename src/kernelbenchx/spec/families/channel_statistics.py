"""Normalization of channels with running statistics: batch norm, alone and in fused tasks."""

import math
from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families.axes import DEGENERATE, LONG, SCALE, draw_shape, fresh
from kernelbenchx.spec.space import Axis, Option

Function = Callable[..., torch.Tensor]
Pair = tuple[torch.Tensor, torch.Tensor]
Statistics = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, bool], Pair]
"""From input, mean, variance and `training` to those that a wrong answer normalizes with."""


def channel_shapes() -> Axis:
    """(N, C) or (N, C, d1, ..): channels and what they hold, below and above common blocks."""
    return Axis(
        "shape",
        (
            # 3 * 23 * 19 elements a channel: two blocks with a tail.
            Option("images", fresh(lambda c: (3, c.randrange(2, 6), c.randrange(19, 24), 19))),
            Option("rows", fresh(lambda c: (c.randrange(17, 70), c.randrange(3, 60)))),
            Option("sequences", fresh(lambda c: tuple(c.randrange(3, 20) for _ in range(3)))),
            Option("volumes", fresh(lambda c: tuple(c.randrange(2, 6) for _ in range(5)))),
            Option("two elements", fresh(lambda c: (1, c.randrange(2, 5), 2)), DEGENERATE),
            Option("one element", fresh(lambda c: (1, c.choice((1, 3)))), DEGENERATE),
            Option("one channel", fresh(lambda c: (c.randrange(3, 40), 1, 5)), DEGENERATE),
            Option("empty", fresh(lambda c: c.choice(((0, 3, 4), (0, 5), (2, 3, 0)))), DEGENERATE),
            Option(
                "many channels",
                draw_shape(2, (4100, 4300)),
                SCALE,
                after=draw_shape(2, (1030, 1300)),
            ),
            Option(
                "long channels",
                draw_shape(2, 2, (33_000, 37_000)),
                SCALE,
                after=draw_shape(2, 2, LONG),
            ),
        ),
    )


def column(vector: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """One value for each channel, as it broadcasts to x."""
    return vector.view((-1,) + (1,) * (x.dim() - 2))


def channel_mean(x: torch.Tensor) -> torch.Tensor:
    """Over everything but dimension 1."""
    return x.mean([axis for axis in range(x.dim()) if axis != 1])


def channel_statistics(x: torch.Tensor) -> Pair:
    """Mean and biased variance of each channel."""
    return channel_mean(x), channel_mean((x - column(channel_mean(x), x)).square())


def channel_cost(
    shape: tuple[int, ...],
    dtype: torch.dtype,
    training: bool = False,
    weight: str | None = None,
    bias: str | None = None,
    **_: Any,
) -> Cost:
    """One pass; running statistics are read, in training also written."""
    count = math.prod(shape)
    vectors = (4 if training else 2) + (weight is not None) + (bias is not None)
    moved = 2 * count * dtype.itemsize + 4 * vectors * shape[1]
    return Cost(flops=(7 if training else 4) * count, bytes=moved)


def channel_rounding(  # noqa: PLR0913 - the arguments of a task
    input: torch.Tensor,
    running_mean: torch.Tensor,
    running_var: torch.Tensor,
    weight: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> tuple[torch.Tensor, ...]:
    """What rounding x, the mean and the variance can move; a sum of n grows with sqrt(n) / 4."""
    mean, variance = running_mean, running_var
    centre = blur = torch.zeros_like(mean)
    if training:
        growth = 1 + math.sqrt(input.numel() / input.shape[1]) / 4
        mean, variance = channel_statistics(input)
        centre = growth * channel_mean(input.abs())
        # Moving every x by half an ulp moves the variance by its spread times their size.
        blur = growth * variance + (variance * channel_mean(input.square())).sqrt()
    deviation = column((variance + eps).sqrt(), input)
    factor = (1.0 if weight is None else column(weight.abs(), input)) / deviation
    distance = (input - column(mean, input)).abs()
    moved = input.abs() + column(mean.abs() + centre, input)
    moved = moved + distance * (1 + column(blur, input) / deviation.square())
    shift = 0.0 if bias is None else column(bias.abs(), input)
    return (
        factor * moved + shift,
        running_mean.abs() + momentum * centre,
        running_var.abs() + momentum * (variance + blur),
    )


def with_statistics(function: Function, change: Statistics) -> Function:
    """Other numbers than the right ones to normalize with; the running ones are right."""

    def answer(
        input: torch.Tensor,
        mean: torch.Tensor,
        var: torch.Tensor,
        training: bool = False,
        **words: Any,
    ) -> torch.Tensor:
        used = channel_statistics(input.float()) if training else (mean.clone(), var.clone())
        function(input, mean, var, training=training, **words)
        other = change(input, *used, training)
        return function(input.float(), *other, **words).to(input.dtype)

    return answer


def one_pass(input: torch.Tensor, mean: torch.Tensor, var: torch.Tensor, training: bool) -> Pair:
    """The variance as E[x^2] - m^2."""
    squares = channel_mean(input.float().square())
    return mean, (squares - mean.square()).clamp(min=0) if training else var


def about_rounded_mean(
    input: torch.Tensor, mean: torch.Tensor, var: torch.Tensor, training: bool
) -> Pair:
    """The variance as squared deviations from a mean in the dtype of the input."""
    x, rounded = input.float(), mean.to(input.dtype).float()
    return mean, channel_mean((x - column(rounded, x)).square()) if training else var


def of_nothing(_: torch.Tensor, mean: torch.Tensor, var: torch.Tensor, training: bool) -> Pair:
    """Running statistics are never read."""
    return (mean, var) if training else (torch.zeros_like(mean), torch.ones_like(var))


def rounded_halfway(function: Function) -> Function:
    """16 bits are rounded before scale and shift."""

    def answer(
        input: torch.Tensor,
        mean: torch.Tensor,
        var: torch.Tensor,
        weight: torch.Tensor | None = None,
        bias: torch.Tensor | None = None,
        **words: Any,
    ) -> torch.Tensor:
        y = function(input, mean, var, **words)
        y = y if weight is None else y * column(weight, y).to(y.dtype)
        return y if bias is None else y + column(bias, y).to(y.dtype)

    return answer
