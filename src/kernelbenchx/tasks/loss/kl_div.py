"""Kullback-Leibler divergence from log-probabilities `input` to `target`, element by element.

log_target=False: target holds probabilities t, and l = t * log(t) - t * x, where t * log(t) is 0
for t = 0. log_target=True: target holds logarithms t, and l = exp(t) * (t - x).
input (x) and target have one shape and dtype; nothing is normalised. NaN and infinities follow
IEEE arithmetic in these formulas: t = 0 with an infinite x gives NaN, so does a negative t, and so
does t = -inf with log_target=True.
"""

from collections.abc import Mapping
from math import inf, nan
from typing import Any

import torch

from kernelbenchx.spec import Close, Draw, Mutant, argument, case, ignore_argument
from kernelbenchx.spec.families.pointwise_loss import (
    other_losses,
    plant_pairs,
    pointwise_loss,
    reduce_losses,
    reduce_rounding,
)
from kernelbenchx.spec.huge_call import HugeCall

SPECIAL: tuple[tuple[float, float], ...] = ((-inf, 0.0), (-inf, 0.5), (inf, 0.5), (nan, 0.0))
SPECIAL += ((-1.0, nan), (-1.0, inf), (-1.0, -0.5), (-1.0, 0.0), (-1.0, -inf), (-inf, -inf))
"""Input and target."""


def kl_div(
    input: torch.Tensor,
    target: torch.Tensor,
    reduction: str = "batchmean",
    log_target: bool = False,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    return reduce_losses(_losses(input.to(wide), target.to(wide), log_target), reduction).to(
        input.dtype
    )


def in_its_dtype(input, target, reduction="batchmean", log_target=False):
    """As torch.nn.functional.kl_div computes it, which warns of the word 'mean'."""
    return reduce_losses(_losses(input, target, log_target), reduction)


def _losses(x, t, log_target=False):
    return t.exp() * (t - x) if log_target else torch.xlogy(t, t) - t * x


def pairs(
    draw: Draw, shape: tuple[int, ...], dtype: torch.dtype, values: str, words: Mapping[str, Any]
) -> tuple[torch.Tensor, torch.Tensor]:
    logs = torch.nn.functional.logsigmoid
    x, t = (logs(draw.normal(shape, torch.float32, 2.0)) for _ in range(2))
    if values == "close":  # both logarithms are nearly the same
        x = t + draw.normal(shape, torch.float32, 1e-2)
    if values == "large":
        x, t = 40 * x, t + 5
    if values == "zeros":
        t = torch.where(draw.booleans(shape), -50.0 if words.get("log_target") else -inf, t)
    x, t = x.to(dtype), (t if words.get("log_target") else t.exp()).to(dtype)
    return plant_pairs(draw, x, t, SPECIAL) if values == "special" else (x, t)


def rounding(input, target, reduction="batchmean", log_target=False):
    """Terms without signs; exp(t) is off by |t| roundings where it is taken as a power of 2."""
    each = torch.xlogy(target, target).abs() + (target * input).abs()
    if log_target:
        each = target.exp() * (target.abs() + input.abs()) * (2 + target.abs())
    return reduce_rounding(each, _losses(input, target, log_target), reduction)


def _take_log_of_zero(x, t, log_target=False):
    return t.exp() * (t - x) if log_target else t * (t.log() - x)


TASK = pointwise_loss(
    kl_div,
    pairs=pairs,
    values=("zeros", "close", "large", "special"),
    reductions=("batchmean",),
    reduced="reduction='none' gives the losses in the shape of `input`, 'sum' their sum, 'mean' "
    "that sum divided by their number and 'batchmean' (the default) divided by input.shape[0], or "
    "by 1 for 0-d input. 0 / 0 gives NaN. Sums and means are 0-d.",
    arguments=(argument("log_target", not_given=None, no=False, yes=True),),
    # One NaN makes NaN of the whole sum.
    valid=lambda chosen: chosen["values"] != "special" or chosen["reduction"] == "none",
    corners=(
        {"values": "special", "reduction": "none"},
        {"values": "special", "reduction": "none", "log_target": "yes"},
        {"shape": "matrix", "reduction": "batchmean", "log_target": "yes"},
        {"shape": "matrix", "values": "zeros"},
        {"shape": "empty", "reduction": "sum"},
        # Rounding in between shows in 16 bits, and in a sum the other terms hide it.
        {"dtype": "float16", "reduction": "none", "log_target": "yes"},
    ),
    flops=5,
    eager=in_its_dtype,
    contract=Close(scale=rounding),
    huge=HugeCall({"dtype": torch.bfloat16, "reduction": "none"}),
    timings=case(shape=(16384, 4096), dtype=torch.float32)
    + case(shape=(8191, 4099), dtype=torch.float32, reduction="none", log_target=True)
    + case(shape=(16384, 2048), dtype=torch.bfloat16, log_target=True)
    + case(shape=(1024, 1024), dtype=torch.float32, reduction="sum"),
    mutants=(
        ignore_argument(kl_div, "log_target"),
        Mutant("mean by default", other_losses(_losses, "mean"), ("reduction",)),
        Mutant("log of 0", other_losses(_take_log_of_zero, "batchmean"), ("target",)),
        Mutant("first 1024 elements", other_losses(_losses, "batchmean", 1024), ("W-BLOCK",)),
    ),
    difficulty=3,
    audit=("W-BLOCK",),
)
