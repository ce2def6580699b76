"""Negative log likelihood of class indices, from log-probabilities.

input has shape (N, C, d1, .., dk) with k >= 0, or (C,); the classes are dimension 1 (0 for (C,)).
target holds int64 class indices and has the shape of input without the class dimension. weight,
if given, has shape (C,) and the dtype of input. For each position with class t:
    l = -weight[t] * x_t        (weight 1 where none is given)
x_t is taken as it is, whatever its sign: -inf gives +inf, NaN gives NaN. What the input holds for
other classes has no effect, not even NaN.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import IGNORED, Close, Cost, Draw, Mutant, case, ignored, loss
from kernelbenchx.spec.families.loss import reduced_size, split_shape
from kernelbenchx.spec.traffic import SECTOR_BYTES, hit, in_a_sector, needed

Shape = tuple[int, ...]


def nll_loss(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    parts = input.to(wide), target, None if weight is None else weight.to(wide)
    words: dict[str, Any] = {"ignore_index": ignore_index, "reduction": reduction}
    return torch.nn.functional.nll_loss(*parts, **words).to(input.dtype)


def log_probabilities(draw: Draw, shape: Shape, dtype: torch.dtype, values: str) -> torch.Tensor:
    size = {"small": 1e-3, "large": 3e4}.get(values, 1.0)
    x = -draw.uniform(shape, dtype, 0.1 * size, 2 * size)
    if values == "both signs":
        x = draw.normal(shape, dtype)
    return draw.planted(x, (-math.inf, math.nan) * (x.numel() // 9) * (values == "special"))


def cost(shape, dtype, reduction="mean", weight=None, ignore=-100, ignored=IGNORED, **_):
    """One value of the input for a position that is kept, and what shares its sector."""
    count, classes = math.prod(shape), split_shape(shape)[0]
    places = count // classes
    spared = ignored + (1 - ignored) / classes if 0 <= ignore < classes else ignored
    kept = places * needed(spared, 1, draws=places)
    sectors = count / in_a_sector(dtype.itemsize)
    read = int(sectors * hit(kept, sectors)) * SECTOR_BYTES
    rest = (weight is not None) * classes + (places if reduction == "none" else 1)
    return Cost(flops=int(2 * kept), bytes=read + rest * dtype.itemsize + 8 * places)


def rounding(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """A product is rounded once; a mean also adds the weights."""
    kept = target != ignore_index
    share = kept.double() if weight is None else weight[torch.where(kept, target, 0)] * kept
    losses = nll_loss(input, target, weight, ignore_index, "none")
    return reduced_size(2 * losses.abs(), losses, reduction, share)


def _mean_over_positions(input, target, weight=None, ignore_index=-100, reduction="mean"):
    total = nll_loss(
        input, target, weight, ignore_index, "sum" if reduction == "mean" else reduction
    )
    return total / max(target.numel(), 1) if reduction == "mean" else total


def _last_dimension(input: torch.Tensor, target: torch.Tensor, **words: Any) -> torch.Tensor:
    found = nll_loss(input.reshape(-1, split_shape(input.shape)[0]), target.flatten(), **words)
    return found.reshape(target.shape) if found.dim() else found


def _first_positions(input, target, weight=None, ignore_index=-100, reduction="mean"):
    seen = target.flatten().clone()
    seen[1024:] = ignore_index
    return nll_loss(input, seen.reshape(target.shape), weight, ignore_index, reduction)


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
        ignored(nll_loss, "weight"),
        ignored(nll_loss, "ignore_index", "W-ARG"),
        Mutant("mean over all positions", _mean_over_positions, ("weight", "reduction", "W-ARG")),
        Mutant("classes in the last dimension", _last_dimension, ("input", "target")),
        Mutant("only the first 1024 positions", _first_positions, ("W-BLOCK",)),
    ),
    difficulty=2,
    audit=("W-ARG", "W-BLOCK"),
)
