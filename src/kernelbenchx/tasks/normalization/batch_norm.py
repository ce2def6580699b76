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

import torch

from kernelbenchx.spec import Close, Mutant, argument, case, ignore_argument, normalization
from kernelbenchx.spec.families.channel_statistics import (
    about_rounded_mean,
    channel_cost,
    channel_rounding,
    channel_shapes,
    channel_statistics,
    column,
    of_nothing,
    one_pass,
    rounded_halfway,
    with_statistics,
)


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
        mean, variance = channel_statistics(x)
        count = x.numel() // x.shape[1]
        running_mean.copy_((1 - momentum) * running_mean + momentum * mean)
        unbiased = variance * (count / (count - 1))
        running_var.copy_((1 - momentum) * running_var + momentum * unbiased)
    y = (x - column(mean, x)) / torch.sqrt(column(variance, x) + eps)
    y = y if weight is None else y * column(weight, x)
    y = y if bias is None else y + column(bias, x)
    return y.to(input.dtype)


def _not_updated(input, mean, var, **words):
    return batch_norm(input, mean.clone(), var.clone(), **words)


def _update_biased_variance(input, mean, var, training=False, momentum=0.1, **words):
    before = var.clone()
    y = batch_norm(input, mean, var, training=training, momentum=momentum, **words)
    if training:
        var.copy_((1 - momentum) * before + momentum * channel_statistics(input.float())[1])
    return y


def _eps_outside(input, mean, var, eps=1e-5, training=False, **words):
    def move_eps_outside(_x, mean, var, _training):
        return mean, (var.sqrt() + eps).square()

    return with_statistics(batch_norm, move_eps_outside)(
        input, mean, var, training, **words, eps=0.0
    )


BOTH = {"weight": "contiguous", "bias": "contiguous"}
F16, F32 = torch.float16, torch.float32

TASK = normalization(
    batch_norm,
    shapes=channel_shapes(),
    slices=lambda shape: (shape[1],) + (1,) * (len(shape) - 2),
    vectors=lambda shape: shape[1:2],
    vector_dtype=torch.float32,
    one_pass=with_statistics(batch_norm, one_pass),
    halfway=rounded_halfway(batch_norm),
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
        {"training": "yes", "values": "shifted", "dtype": "float16", "shape": "rows"},
        {"training": "yes", "values": "moved", "shape": "rows", "weight": "contiguous"},
        {"training": "yes", "values": "narrow", "eps": "thousandth"},
        {"training": "yes", "values": "special", "layout": "transposed"},
        {"training": "yes", "running_layout": "strided"},
    ),
    eager=torch.nn.functional.batch_norm,
    cost=channel_cost,
    contract=Close(scale=channel_rounding),
    timings=case(shape=(32, 256, 56, 56), dtype=F32, training=True, **BOTH)
    + case(shape=(8192, 4096), dtype=torch.bfloat16, training=False)
    + case(shape=(31, 67, 113, 109), dtype=F16, training=True, **BOTH),
    mutants=(
        Mutant("running statistics not updated", _not_updated, ("W-SIDE", "training")),
        Mutant("statistics of nothing", with_statistics(batch_norm, of_nothing), ("running_mean",)),
        Mutant("deviations from a rounded mean", with_statistics(batch_norm, about_rounded_mean)),
        Mutant("biased running variance", _update_biased_variance, ("running_var",)),
        Mutant("eps outside the root", _eps_outside, ("eps",)),
        *(
            ignore_argument(batch_norm, one)
            for one in ("momentum", "eps", "training", "weight", "bias")
        ),
    ),
    difficulty=4,
    writes=("running_mean", "running_var"),
    audit=("W-SIDE", "W-PDT"),
)
