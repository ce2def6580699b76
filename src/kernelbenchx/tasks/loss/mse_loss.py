"""Mean squared error: l = (input - target)^2 for each element.

input and target have one shape and dtype. NaN and infinities follow IEEE arithmetic, so equal
infinities give NaN.
"""

import math

import torch

from kernelbenchx.spec import Close, Cost, Draw, Mutant, case, loss, reduced_size

Shape = tuple[int, ...]
SIZES = {"small": 1e-3, "large": 100.0}


def mse_loss(input: torch.Tensor, target: torch.Tensor, reduction: str = "mean") -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    found = torch.nn.functional.mse_loss(input.to(wide), target.to(wide), reduction=reduction)
    return found.to(input.dtype)


def scores(draw: Draw, shape: Shape, dtype: torch.dtype, values: str) -> torch.Tensor:
    x = draw.normal(shape, dtype, SIZES.get(values, 1.0))
    if values == "close":  # input and target are 16 +- 1: their squares nearly cancel
        x = x + 16.0
    return draw.plant(x, (math.inf, -math.inf, math.nan) if values == "special" else ())


def cost(shape: Shape, dtype: torch.dtype, reduction: str = "mean", **_: object) -> Cost:
    count = math.prod(shape)
    written = count if reduction == "none" else 1
    return Cost(flops=3 * count, bytes=(2 * count + written) * dtype.itemsize)


def rounding(input, target, reduction="mean"):
    """A difference is rounded once, and doubles its relative error in the square."""
    losses = (input - target).square()
    return reduced_size(3 * losses, losses, reduction)


def _absolute(input, target, reduction="mean"):
    found = torch.nn.functional.l1_loss(input.float(), target.float(), reduction=reduction)
    return found.to(input.dtype)


def _halve_loss(input, target, reduction="mean"):
    return mse_loss(input, target, reduction) / 2


def _expanded_square(input, target, reduction="mean"):
    x, y = input.float(), target.float()
    losses = x * x - 2 * x * y + y * y
    total = losses if reduction == "none" else losses.sum()
    return (total / max(x.numel(), 1) if reduction == "mean" else total).to(input.dtype)


def _mean_of_rows(input, target, reduction="mean"):
    if reduction != "mean" or input.dim() < 2:
        return mse_loss(input, target, reduction)
    return (mse_loss(input, target, "sum").float() / input.shape[0]).to(input.dtype)


TASK = loss(
    mse_loss,
    scores=scores,
    values=(*SIZES, "close", "special"),
    classes=False,
    # One NaN makes NaN of the whole sum.
    valid=lambda chosen: chosen["values"] != "special" or chosen["reduction"] == "none",
    corners=(
        {"values": "special", "reduction": "none"},
        {"values": "close", "reduction": "none"},
        {"shape": "long", "reduction": "sum"},
        {"shape": "empty", "reduction": "sum"},
        {"dtype": "float16", "values": "large"},  # squares overflow, and their mean does not
    ),
    eager=torch.nn.functional.mse_loss,
    cost=cost,
    contract=Close(scale=rounding),
    timings=case(shape=(1 << 25,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.float32, reduction="none")
    + case(shape=((1 << 24) + 1,), dtype=torch.float16, reduction="sum"),
    mutants=(
        Mutant("absolute error", _absolute, ("input", "target")),
        Mutant("halved", _halve_loss),
        Mutant("square multiplied out", _expanded_square),
        Mutant("mean over the first dimension", _mean_of_rows, ("reduction",)),
    ),
    difficulty=1,
)
