"""Negative log likelihood of class indices, from log-probabilities.

input has shape (N, C, d1, .., dk) with k >= 0, or (C,); the classes are dimension 1 (0 for (C,)).
target holds int64 class indices and has the shape of input without the class dimension. weight,
if given, has shape (C,) and the dtype of input. For each position with class t:
    l = -weight[t] * x_t        (weight 1 where none is given)
x_t is taken as it is, whatever its sign: -inf gives +inf, NaN gives NaN. What the input holds for
other classes has no effect, not even NaN.
"""

import math

import torch

from kernelbenchx.spec import (
    Close,
    Cost,
    Draw,
    case,
    ignore_argument,
    loss,
    reduced_size,
    split_shape,
)
from kernelbenchx.spec.families import class_losses
from kernelbenchx.spec.memory_traffic import (
    SECTOR_BYTES,
    estimate_hit_share,
    estimate_sector_share,
    in_a_sector,
)


def nll_loss(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    parts = input.to(wide), target, None if weight is None else weight.to(wide)
    found = torch.nn.functional.nll_loss(*parts, ignore_index=ignore_index, reduction=reduction)
    return found.to(input.dtype)


def log_probabilities(
    draw: Draw, shape: tuple[int, ...], dtype: torch.dtype, values: str
) -> torch.Tensor:
    size = {"small": 1e-3, "large": 3e4}.get(values, 1.0)
    x = -draw.uniform(shape, dtype, 0.1 * size, 2 * size)
    if values == "both signs":
        x = draw.normal(shape, dtype)
    return draw.plant(x, (-math.inf, math.nan) * (x.numel() // 9) * (values == "special"))


def cost(shape, dtype, reduction="mean", weight=None, **words):
    """One value of the input for a position that is kept, and what shares its sector."""
    classes = split_shape(shape)[0]
    places = math.prod(shape) // classes
    kept = places * estimate_sector_share(
        class_losses.spared_share(classes, **words), 1, draws=places
    )
    sectors = places * classes / in_a_sector(dtype.itemsize)
    read = int(sectors * estimate_hit_share(kept, sectors)) * SECTOR_BYTES
    rest = (weight is not None) * classes + (places if reduction == "none" else 1)
    return Cost(flops=int(2 * kept), bytes=read + rest * dtype.itemsize + 8 * places)


def rounding(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """A product is rounded once; a mean also adds the weights."""
    losses = nll_loss(input, target, weight, ignore_index, "none")
    share = class_losses.shares(target, weight, ignore_index)
    return reduced_size(2 * losses.abs(), losses, reduction, share)


TASK = loss(
    nll_loss,
    scores=log_probabilities,
    values=("small", "large", "both signs", "special"),
    corners=(
        {"values": "special", "reduction": "none", "shape": "images", "weight": "contiguous"},
        {"values": "special", "reduction": "none", "ignored": "none"},
        {"shape": "few classes", "reduction": "sum", "dtype": "bfloat16"},
        {"shape": "sequences", "weight": "contiguous", "ignore": "a class"},
        {"ignored": "all", "reduction": "mean"},
    ),
    # One NaN makes NaN of the whole sum.
    valid=lambda chosen: chosen["values"] != "special" or chosen["reduction"] == "none",
    eager=torch.nn.functional.nll_loss,
    cost=cost,
    contract=Close(scale=rounding),
    timings=case(shape=(16, 19, 512, 1024), dtype=torch.float32, weight="contiguous")
    + case(shape=(1 << 20, 32), dtype=torch.bfloat16, reduction="none")
    + case(shape=(32771, 1003), dtype=torch.float32, reduction="sum", ignore=3),
    mutants=(
        ignore_argument(nll_loss, "weight"),
        ignore_argument(nll_loss, "ignore_index", "W-ARG"),
        class_losses.mean_over_positions(nll_loss, "weight", "reduction", "W-ARG"),
        class_losses.classes_last(nll_loss, "input", "target"),
        class_losses.first_positions(nll_loss, "W-BLOCK"),
    ),
    difficulty=2,
    audit=("W-ARG", "W-BLOCK"),
)
