"""Binary cross entropy between probabilities and labels, element by element.

    l = -weight * (y * max(log(x), -100) + (1 - y) * max(log(1 - x), -100))

x is input, y is target, and weight is 1 where none is given. input and target have one shape and
dtype, and every element of both lies in [0, 1]; labels between 0 and 1 are allowed. The bound of
-100 keeps l finite at x = 0 and x = 1. log(1 - x) is as accurate as log1p(-x): a small x is not
lost in 1 - x. 'mean' divides by the number of elements, with `weight` too.
"""

from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Close, Draw, Mutant, case, ignore_argument, reduced_size
from kernelbenchx.spec.families.pointwise_loss import other_losses, pointwise_loss
from kernelbenchx.spec.huge_call import HugeCall


def binary_cross_entropy(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    reduction: str = "mean",
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    found = torch.nn.functional.binary_cross_entropy(
        input.to(wide),
        target.to(wide),
        None if weight is None else weight.to(wide),
        reduction=reduction,
    )
    return found.to(input.dtype)


def pairs(
    draw: Draw, shape: tuple[int, ...], dtype: torch.dtype, values: str, words: Mapping[str, Any]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Labels are hard, soft or both."""
    del words
    x = torch.sigmoid(draw.normal(shape, torch.float32, 2.0)).to(dtype)
    hard, soft = draw.booleans(shape).to(dtype), draw.uniform(shape, dtype)
    if values == "hard labels":
        return x, hard
    if values == "small":
        return draw.uniform(shape, torch.float32, -13.0, -3.0).exp().to(dtype), hard
    target = torch.where(draw.booleans(shape, 0.7), soft, hard)
    if values == "certain":
        x = torch.where(draw.booleans(shape), draw.booleans(shape).to(dtype), x)
    return x, target


def rounding(input, target, weight=None, reduction="mean"):
    """No term has another sign: three roundings of each loss."""
    losses = binary_cross_entropy(input, target, weight, "none")
    return reduced_size(3 * losses, losses, reduction)


def _losses(x, y, least=-100.0):
    return -y * x.log().clamp(min=least) - (1 - y) * torch.log1p(-x).clamp(min=least)


def _rounded_difference(x, y):
    return -y * x.log().clamp(min=-100.0) - (1 - y) * (1 - x).log().clamp(min=-100.0)


def _mean_over_weights(input, target, weight=None, reduction="mean"):
    if weight is None or reduction != "mean":
        return binary_cross_entropy(input, target, weight, reduction)
    total = binary_cross_entropy(input.float(), target.float(), weight.float(), "sum")
    return (total / weight.float().expand(input.shape).sum()).to(input.dtype)


TASK = pointwise_loss(
    binary_cross_entropy,
    pairs=pairs,
    values=("hard labels", "small", "certain"),
    corners=(
        {"values": "certain", "reduction": "none"},
        {"values": "small", "reduction": "none"},
        {"shape": "matrix", "weight": "contiguous", "weight_shape": "column"},
        {"shape": "four dimensions", "weight": "contiguous", "reduction": "none"},
        {"shape": "long", "reduction": "sum"},
        {"shape": "empty", "reduction": "sum"},
    ),
    flops=10,
    eager=torch.nn.functional.binary_cross_entropy,
    contract=Close(scale=rounding),
    huge=HugeCall({"dtype": torch.bfloat16, "reduction": "none"}),
    timings=case(shape=(1 << 26,), dtype=torch.float32, values="hard labels")
    + case(shape=(8191, 4099), dtype=torch.float32, reduction="none", weight="contiguous")
    + case(shape=((1 << 24) + 1,), dtype=torch.float16)
    + case(shape=(1024, 1024), dtype=torch.float32, reduction="sum"),
    mutants=(
        ignore_argument(binary_cross_entropy, "weight"),
        Mutant("mean over the weights", _mean_over_weights, ("weight", "reduction")),
        Mutant("log of the rounded 1 - x", other_losses(_rounded_difference), ("input",)),
        Mutant(
            "input clipped to 1e-7",
            other_losses(lambda x, y: _losses(x.clamp(1e-7, 1 - 1e-7), y)),
            ("input",),
        ),
        Mutant("labels rounded", other_losses(lambda x, y: _losses(x, y.round())), ("target",)),
        Mutant("bound of -50", other_losses(lambda x, y: _losses(x, y, -50.0))),
        Mutant("no bound", other_losses(lambda x, y: _losses(x, y, -1e30))),
    ),
    difficulty=2,
)
