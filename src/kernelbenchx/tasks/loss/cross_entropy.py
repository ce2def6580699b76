"""Cross entropy between logits and class indices.

input has shape (N, C, d1, .., dk) with k >= 0, or (C,); the classes are dimension 1 (0 for (C,)).
target holds int64 class indices and has the shape of input without the class dimension. weight,
if given, has shape (C,) and the dtype of input. For each position with class t:
    l = weight[t] * (log(sum_c exp(x_c)) - x_t)        (weight 1 where none is given)
Logits may be large (no overflow) or -inf (probability zero: l is +inf if that is the target); a row
that holds NaN or +inf, or only -inf, gives NaN.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import (
    IGNORED,
    Close,
    Cost,
    Draw,
    Mutant,
    case,
    ignore_argument,
    loss,
    reduced_size,
    split_shape,
)
from kernelbenchx.spec.memory_traffic import estimate_sector_share, in_a_sector

Shape = tuple[int, ...]


def cross_entropy(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    loss = torch.nn.functional.cross_entropy(
        input.to(wide),
        target,
        None if weight is None else weight.to(wide),
        ignore_index=ignore_index,
        reduction=reduction,
    )
    return loss.to(input.dtype)


def logits(draw: Draw, shape: Shape, dtype: torch.dtype, values: str) -> torch.Tensor:
    x = draw.normal(shape, dtype, {"small": 1e-2, "large": 30.0, "huge": 1e20}.get(values, 2.0))
    if (
        values == "huge" and dtype == torch.float16
    ):  # half of the losses overflow, the mean does not
        x = torch.where(draw.booleans(shape), 4e4, -4e4).to(dtype)
    if values == "masked classes":
        x.narrow(min(x.dim(), 2) - 1, 0, split_shape(shape)[0] // 2).fill_(-math.inf)
    if values == "shifted":  # exp overflows here unless the maximum is taken off first
        rows = (shape[0],) + (1,) * (len(shape) - 1)
        x = x + torch.where(draw.booleans(rows), 200.0, -200.0).to(dtype)
    if values == "spiked":
        x = draw.plant(x, (float("-inf"),) * (x.numel() // 9) + (float("inf"), float("nan")))
    return x


def cost(
    shape: Shape,
    dtype: torch.dtype,
    reduction: str = "mean",
    weight: str | None = None,
    ignore: int = -100,
    ignored: float = IGNORED,
    **_: Any,
) -> Cost:
    """Logits of an ignored position need not be read, unless others share their sector."""
    count, classes = math.prod(shape), split_shape(shape)[0]
    places = count // classes
    spared = ignored + (1 - ignored) / classes if 0 <= ignore < classes else ignored
    together = min(math.prod(shape[2:]), in_a_sector(dtype.itemsize))
    read = int(count * estimate_sector_share(spared, together, draws=places // together))
    moved = read + (weight is not None) * classes + (places if reduction == "none" else 1)
    return Cost(flops=4 * read, bytes=moved * dtype.itemsize + 8 * places)


def rounding(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """What is added and subtracted, without signs."""
    axis = 1 if input.dim() > 1 else 0
    kept = target != ignore_index
    known = torch.where(kept, target, 0)
    picked = input.gather(axis, known.unsqueeze(axis)).squeeze(axis)
    share = kept.double() if weight is None else weight[known] * kept
    terms = input.amax(axis).abs() + picked.abs() + 2 + math.sqrt(input.shape[axis]) / 4
    each = torch.where(kept, share * terms, 0.0)
    losses = cross_entropy(input, target, weight, ignore_index, "none")
    return reduced_size(each, losses, reduction, share)


def _mean_over_positions(input, target, weight=None, ignore_index=-100, reduction="mean"):
    if reduction != "mean":
        return cross_entropy(input, target, weight, ignore_index, reduction)
    return cross_entropy(input, target, weight, ignore_index, "none").mean()


def _last_dimension(input: torch.Tensor, target: torch.Tensor, **words: Any) -> torch.Tensor:
    found = cross_entropy(input.reshape(-1, split_shape(input.shape)[0]), target.flatten(), **words)
    return found.reshape(target.shape) if found.dim() else found


def _overflowing(input, target, weight=None, ignore_index=-100, reduction="mean"):
    logs = input.float().exp().sum(1 if input.dim() > 1 else 0, keepdim=True).log()
    parts = (input.float() - logs, target, None if weight is None else weight.float())
    words = {"ignore_index": ignore_index, "reduction": reduction}
    return torch.nn.functional.nll_loss(*parts, **words).to(input.dtype)


TASK = loss(
    cross_entropy,
    scores=logits,
    values=("small", "large", "huge", "shifted", "masked classes", "spiked"),
    corners=(
        {"values": "spiked", "reduction": "none"},
        {"values": "spiked", "reduction": "none", "shape": "images", "weight": "contiguous"},
        {
            "values": "masked classes",
            "reduction": "none",
            "shape": "many classes",
            "ignored": "none",
        },
        {"values": "huge", "dtype": "float16"},
        {"shape": "sequences", "reduction": "sum"},
        {"ignored": "all", "reduction": "mean"},
    ),
    # One NaN makes NaN of the whole sum.
    valid=lambda chosen: chosen["values"] != "spiked" or chosen["reduction"] == "none",
    eager=torch.nn.functional.cross_entropy,
    cost=cost,
    contract=Close(scale=rounding),
    timings=case(shape=(16384, 1000), dtype=torch.float32, reduction="mean", weight="contiguous")
    + case(shape=(8, 64, 512, 512), dtype=torch.float32, reduction="sum", ignore=3)
    + case(shape=(4093, 32003), dtype=torch.bfloat16, reduction="none"),
    mutants=(
        ignore_argument(cross_entropy, "weight", "W-ARG"),
        ignore_argument(cross_entropy, "ignore_index"),
        Mutant("mean over all positions", _mean_over_positions, ("weight", "reduction")),
        Mutant("classes in the last dimension", _last_dimension, ("input",)),
        Mutant("no maximum taken off", _overflowing, ("input",)),
    ),
    difficulty=2,
    audit=("W-ARG",),
)
