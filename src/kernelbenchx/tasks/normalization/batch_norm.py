"""Batch normalization of (N, C) or (N, C, d1, .., dk) over everything but dimension 1.

y = (x - m) / sqrt(v + eps) * weight + bias, with m, v, weight and bias per channel (dimension 1);
weight None stands for 1, bias None for 0. running_mean, running_var, weight and bias have shape
(C,) and are float32 whatever the dtype of input.
training=False: m = running_mean, v = running_var; neither is changed.
training=True: m and v are the mean and the biased variance (divided by n) of the channel's n > 1
elements, and the running statistics are updated in place:
    running_mean = (1 - momentum) * running_mean + momentum * m
    running_var  = (1 - momentum) * running_var  + momentum * v * n / (n - 1)
NaN in a channel makes the whole channel NaN in training. The published tests never looked at the
running statistics and timed float16 without testing it; here both are checked.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import (
    Close,
    Cost,
    Mutant,
    argument,
    case,
    channel_shapes,
    ignored,
    normalization,
)

Shape = tuple[int, ...]


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
    mean, variance = running_mean, running_var
    if training:
        mean, variance = _statistics(x)
        count = x.numel() // x.shape[1]
        running_mean.copy_((1 - momentum) * running_mean + momentum * mean)
        unbiased = variance * (count / (count - 1))
        running_var.copy_((1 - momentum) * running_var + momentum * unbiased)
    y = (x - _column(mean, x)) / torch.sqrt(_column(variance, x) + eps)
    y = y if weight is None else y * _column(weight, x)
    y = y if bias is None else y + _column(bias, x)
    return y.to(input.dtype)


def _column(vector: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return vector.view((-1,) + (1,) * (x.dim() - 2))


def _mean(x: torch.Tensor) -> torch.Tensor:
    return x.mean([axis for axis in range(x.dim()) if axis != 1])


def _statistics(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return _mean(x), _mean((x - _column(_mean(x), x)).square())


def cost(
    shape: Shape,
    dtype: torch.dtype,
    training: bool = False,
    weight: str | None = None,
    bias: str | None = None,
    **_: Any,
) -> Cost:
    count = math.prod(shape)
    vectors = (4 if training else 2) + (weight is not None) + (bias is not None)
    return Cost(
        flops=(7 if training else 4) * count,
        bytes=2 * count * dtype.itemsize + 4 * vectors * shape[1],
    )


def rounding(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5
):
    """What rounding x, the mean and the variance can move; a sum of n grows with sqrt(n) / 4."""
    mean, variance = running_mean, running_var
    centre = blur = torch.zeros_like(mean)
    if training:
        growth = 1 + math.sqrt(input.numel() / input.shape[1]) / 4
        mean, variance = _statistics(input)
        centre = growth * _mean(input.abs())
        # Moving every x by half an ulp moves the variance by its spread times their size.
        blur = growth * variance + (variance * _mean(input.square())).sqrt()
    deviation = _column((variance + eps).sqrt(), input)
    factor = (1.0 if weight is None else _column(weight.abs(), input)) / deviation
    distance = (input - _column(mean, input)).abs()
    moved = input.abs() + _column(mean.abs() + centre, input)
    moved = moved + distance * (1 + _column(blur, input) / deviation.square())
    shift = 0.0 if bias is None else _column(bias.abs(), input)
    return (
        factor * moved + shift,
        running_mean.abs() + momentum * centre,
        running_var.abs() + momentum * (variance + blur),
    )


def _with_statistics(change):
    """Other numbers than the right ones to normalize with; the running ones are right."""

    def answer(input, mean, var, training=False, **words):
        x = input.float()
        used = _statistics(x) if training else (mean.clone(), var.clone())
        batch_norm(input, mean, var, training=training, **words)
        return batch_norm(x, *change(x, *used, training), **words).to(input.dtype)

    return answer


def _one_pass(x, mean, var, training):
    return mean, (_mean(x.square()) - mean.square()).clamp(min=0) if training else var


def _of_nothing(_x, mean, var, training):
    return (mean, var) if training else (torch.zeros_like(mean), torch.ones_like(var))


def _not_updated(input, mean, var, **words):
    return batch_norm(input, mean.clone(), var.clone(), **words)


def _biased(input, mean, var, training=False, momentum=0.1, **words):
    before = var.clone()
    y = batch_norm(input, mean, var, training=training, momentum=momentum, **words)
    if training:
        var.copy_((1 - momentum) * before + momentum * _statistics(input.float())[1])
    return y


def _eps_outside(input, mean, var, eps=1e-5, training=False, **words):
    def moved(_x, mean, var, _training):
        return mean, (var.sqrt() + eps).square()

    return _with_statistics(moved)(input, mean, var, training, **words, eps=0.0)


def _rounded_halfway(input, mean, var, weight=None, bias=None, **words):
    y = batch_norm(input, mean, var, **words)
    y = y if weight is None else y * _column(weight, y).to(y.dtype)
    return y if bias is None else y + _column(bias, y).to(y.dtype)


BOTH = {"weight": "contiguous", "bias": "contiguous"}
F16, F32 = torch.float16, torch.float32

TASK = normalization(
    batch_norm,
    shapes=channel_shapes(),
    slices=lambda shape: (shape[1],) + (1,) * (len(shape) - 2),
    vectors=lambda shape: shape[1:2],
    vector_dtype=torch.float32,
    one_pass=_with_statistics(_one_pass),
    halfway=_rounded_halfway,
    arguments=(
        argument("training", not_given=None, yes=True, no=False),
        argument("momentum", not_given=None, third=0.35, all=1.0, none=0.0),
    ),
    valid=lambda chosen: (
        chosen["training"] != "yes" or chosen["shape"] not in ("one element", "empty")
    ),
    corners=(
        {"training": "yes", **BOTH},
        {"training": "yes", "values": "shifted"},
        {"training": "yes", "values": "moved", "shape": "rows", "weight": "contiguous"},
        {"training": "yes", "values": "narrow", "eps": "thousandth"},
        {"training": "yes", "values": "special", "layout": "transposed"},
    ),
    eager=torch.nn.functional.batch_norm,
    cost=cost,
    contract=Close(scale=rounding),
    timings=case(shape=(32, 64, 112, 112), dtype=F16, training=False, **BOTH)
    + case(shape=(32, 256, 56, 56), dtype=F32, training=True, **BOTH)
    + case(shape=(8192, 4096), dtype=torch.bfloat16, training=False)
    + case(shape=(31, 67, 113, 109), dtype=F16, training=True, **BOTH),
    mutants=(
        Mutant("running statistics not updated", _not_updated, ("W-SIDE", "training")),
        Mutant("statistics of nothing", _with_statistics(_of_nothing), ("running_mean",)),
        Mutant("biased running variance", _biased, ("running_var",)),
        Mutant("eps outside the root", _eps_outside, ("eps",)),
        *(ignored(batch_norm, one) for one in ("momentum", "eps", "training", "weight", "bias")),
    ),
    difficulty=4,
    writes=("running_mean", "running_var"),
    audit=("W-SIDE", "W-PDT"),
)
