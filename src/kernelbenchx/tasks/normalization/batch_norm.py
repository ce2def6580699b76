"""Batch normalization of (N, C) or (N, C, d1, .., dk) over everything but dimension 1.

y = (x - m) / sqrt(v + eps) * weight + bias, with m, v, weight and bias per channel (dimension 1);
weight None stands for 1, bias None for 0. running_mean, running_var, weight and bias have shape
(C,) and are float32 whatever the dtype of input.
training=False: m = running_mean, v = running_var; neither is changed.
training=True: m and v are the mean and the biased variance (divided by n) of the channel's n > 1
elements, and the running statistics are updated in place:
    running_mean = (1 - momentum) * running_mean + momentum * m
    running_var  = (1 - momentum) * running_var  + momentum * v * n / (n - 1)
The variance is the mean of squared deviations from the mean: E[x^2] - m^2 is not good enough where
the mean is far larger than the spread. NaN in a channel makes the whole channel NaN in training.
Returns y with the shape and dtype of input, in new memory; 16-bit inputs are computed in float32
(also the sums) and rounded once. The published tests never looked at the running statistics and
timed float16 without testing it; here both are checked.
"""

import math
from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)


def batch_norm(
    input: torch.Tensor,
    running_mean: torch.Tensor,
    running_var: torch.Tensor,
    weight: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> torch.Tensor:
    x = input.to(torch.promote_types(input.dtype, torch.float32))
    column = (-1,) + (1,) * (x.dim() - 2)
    mean, variance = running_mean, running_var
    if training:
        others = [axis for axis in range(x.dim()) if axis != 1]
        count = x.numel() // x.shape[1]
        mean = x.mean(others)
        variance = (x - mean.view(column)).square().mean(others)
        running_mean.copy_((1 - momentum) * running_mean + momentum * mean)
        unbiased = variance * (count / (count - 1))
        running_var.copy_((1 - momentum) * running_var + momentum * unbiased)
    y = (x - mean.view(column)) / torch.sqrt(variance.view(column) + eps)
    y = y if weight is None else y * weight.view(column)
    y = y if bias is None else y + bias.view(column)
    return y.to(input.dtype)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    training: bool,
    affine: str = "both",
    spread: float = 1.0,
    offset: float = 1.0,
    layout: str = "contiguous",
    planted: tuple[float, ...] = (),
    **options: Any,
) -> Call:
    channels = shape[1]
    column = (channels,) + (1,) * (len(shape) - 2)
    centre = draw.normal(column, torch.float32, offset * spread)
    x = (draw.normal(shape, torch.float32, spread) + centre).to(dtype)
    x = draw.planted(x, planted)
    mean = draw.normal((channels,), torch.float32, spread)
    var = draw.uniform((channels,), torch.float32, 0.5, 2.0) * spread**2
    weight = draw.normal((channels,), torch.float32) if affine in ("both", "weight") else None
    bias = draw.normal((channels,), torch.float32) if affine in ("both", "bias") else None
    return call(draw.laid_out(x, layout), mean, var, weight, bias, training=training, **options)


def cost(
    shape: tuple[int, ...], dtype: torch.dtype, training: bool, affine: str = "both", **_: Any
) -> Cost:
    count = math.prod(shape)
    vectors = (4 if training else 2) + {"both": 2, "none": 0}.get(affine, 1)
    return Cost(
        flops=(7 if training else 4) * count,
        bytes=2 * count * dtype.itemsize + 4 * vectors * shape[1],
    )


def rounding(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5
):
    """What rounding x, the mean and the variance can move; a sum of n grows with sqrt(n) / 4."""
    column = (-1,) + (1,) * (input.dim() - 2)
    others = [axis for axis in range(input.dim()) if axis != 1]
    mean, variance = running_mean, running_var
    centre = blur = torch.zeros_like(mean)
    if training:
        growth = 1 + math.sqrt(input.numel() / input.shape[1]) / 4
        mean = input.mean(others)
        variance = (input - mean.view(column)).square().mean(others)
        centre = growth * input.abs().mean(others)
        # Moving every x by half an ulp moves the variance by its spread times their size.
        blur = growth * variance + (variance * input.square().mean(others)).sqrt()
    deviation = (variance + eps).sqrt().view(column)
    factor = (1.0 if weight is None else weight.abs().view(column)) / deviation
    distance = (input - mean.view(column)).abs()
    moved = input.abs() + mean.abs().view(column) + centre.view(column)
    moved = moved + distance * (1 + blur.view(column) / deviation.square())
    shift = 0.0 if bias is None else bias.abs().view(column)
    return (
        factor * moved + shift,
        running_mean.abs() + momentum * centre,
        running_var.abs() + momentum * (variance + blur),
    )


def _with(**fixed: Any) -> Callable[..., Any]:
    """The answer of someone who puts his own value for an argument."""

    def answer(input, mean, var, weight, bias, **options):
        return batch_norm(input, mean, var, **{"weight": weight, "bias": bias, **options, **fixed})

    return answer


def _no_update(input, mean, var, *rest, **options):
    return batch_norm(input, mean.clone(), var.clone(), *rest, **options)


def _statistics_of_nothing(input, mean, var, *rest, **options):
    if not options["training"]:
        mean, var = torch.zeros_like(mean), torch.ones_like(var)
    return batch_norm(input, mean, var, *rest, **options)


def _half_deviation(input, mean, var, *rest, **options):
    """Right in all dtypes but float16, where the deviation is rounded before it is scaled."""
    if input.dtype != torch.float16 or options["training"]:
        return batch_norm(input, mean, var, *rest, **options)
    column = (-1,) + (1,) * (input.dim() - 2)
    centred = (input - mean.half().view(column)).float()
    return batch_norm(centred, torch.zeros_like(mean), var, *rest, **options).half()


TASK = Task(
    reference=batch_norm,
    eager=torch.nn.functional.batch_norm,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=rounding),
    checks=(
        # 3 * 23 * 19 elements a channel: two blocks with a tail.
        grid(shape=((3, 5, 23, 19),), dtype=FLOATS, training=(True, False))
        + case(
            shape=(3, 2, 23, 19), dtype=torch.float32, training=True, momentum=0.35, affine="none"
        )
        + case(shape=(29, 11), dtype=torch.float32, training=True, momentum=1.0, affine="weight")
        + case(shape=(29, 11), dtype=torch.float16, training=False, eps=0.5, affine="bias")
        + case(shape=(4, 3, 31), dtype=torch.float32, training=True, momentum=0.0, spread=30.0)
        + case(shape=(2, 3, 4, 5, 6), dtype=torch.bfloat16, training=True, eps=1e-2, spread=1e-1)
        # The spread is of the size of sqrt(eps).
        + grid(
            shape=((7, 4, 9),),
            dtype=(torch.float32,),
            training=(True, False),
            spread=(2e-3,),
            eps=(1e-5, 1e-3),
        )
        # A mean 300 times the spread: E[x^2] - m^2 has no digits left.
        + case(shape=(6, 4, 35), dtype=torch.float32, training=True, offset=300.0)
        + grid(
            shape=((4, 6, 10, 8),),
            dtype=(torch.float32,),
            training=(True, False),
            layout=("transposed",),
            planted=((float("nan"), float("inf"), 1e4),),
        )
        + case(shape=(1, 3, 2), dtype=torch.float32, training=True)
        + case(shape=(1, 1), dtype=torch.float32, training=False, affine="none")
        + case(shape=(0, 3, 4), dtype=torch.float32, training=False)
    ),
    timings=(
        case(shape=(32, 64, 112, 112), dtype=torch.float16, training=False)
        + case(shape=(32, 256, 56, 56), dtype=torch.float32, training=True)
        + case(shape=(8192, 4096), dtype=torch.bfloat16, training=False, affine="none")
    ),
    mutants=(
        Mutant("running statistics not updated", _no_update, ("W-SIDE", "training")),
        Mutant("momentum ignored", _with(momentum=0.1), ("momentum",)),
        Mutant("eps ignored", _with(eps=1e-5), ("eps",)),
        Mutant("training ignored", _with(training=False), ("training",)),
        Mutant("weight ignored", _with(weight=None), ("weight",)),
        Mutant("bias ignored", _with(bias=None), ("bias",)),
        Mutant("statistics of nothing", _statistics_of_nothing, ("running_mean", "running_var")),
        Mutant("float16 rounded halfway", _half_deviation, ("W-PDT", "input")),
        Patch(
            "biased running variance", "squared / (count - 1)", "squared / count", ("running_var",)
        ),
        Patch(
            "E[x^2] - m^2",
            "squares += tl.where(j < count, d * d, 0.0)",
            "squares += tl.where(j < count, (d + m) * (d + m) - m * m, 0.0)",
        ),
        Patch("tail counted in the variance", "tl.where(j < count, d * d, 0.0)", "d * d"),
        Patch("channels last", "c = at // inner % channels", "c = at % channels"),
        Patch("eps outside the root", "tl.sqrt(s + eps)", "(tl.sqrt(s) + eps)", ("eps",)),
    ),
    dtypes=FLOATS,
    difficulty=4,
    writes=("running_mean", "running_var"),
    audit=("W-SIDE", "W-PDT"),
)
