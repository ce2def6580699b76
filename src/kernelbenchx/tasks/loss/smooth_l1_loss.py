"""Smooth L1 loss: quadratic near 0, linear beyond `beta`.

With d = |input - target|, for each element:
    l = 0.5 * d**2 / beta    where d < beta
    l = d - 0.5 * beta       elsewhere
`beta` is a float and not negative; with beta=0 this is |input - target|. input and target have one
shape and dtype. A difference of NaN (equal infinities too) gives NaN, an infinite one gives +inf.
"""

import math

import torch

from kernelbenchx.spec import Close, Draw, Mutant, argument, case, ignore_argument, reduced_size
from kernelbenchx.spec.families.pointwise_loss import other_losses, pointwise_loss
from kernelbenchx.spec.huge_call import HugeCall

SIZES = {"small": 1e-3, "large": 300.0}


def smooth_l1_loss(
    input: torch.Tensor, target: torch.Tensor, beta: float = 1.0, reduction: str = "mean"
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    found = torch.nn.functional.smooth_l1_loss(
        input.to(wide), target.to(wide), beta=beta, reduction=reduction
    )
    return found.to(input.dtype)


def scores(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype, values: str) -> torch.Tensor:
    x = draw.normal(shape, dtype, SIZES.get(values, 1.0))
    if values == "close":  # differences are small beside the numbers
        x = draw.uniform(shape, dtype, 16.0, 17.0)
    return draw.plant(x, (math.inf, -math.inf, math.nan) * 2 if values == "special" else ())


def pairs(draw, shape, dtype, values, _words):
    return tuple(scores(draw, shape, dtype, values) for _ in ("input", "target"))


def rounding(input, target, beta=1.0, reduction="mean"):
    """A difference is rounded once. Its square doubles that, and d <= 2 l where it is linear."""
    losses = smooth_l1_loss(input, target, beta, "none")
    return reduced_size(3 * losses, losses, reduction)


def _huber(input, target, beta=1.0, reduction="mean"):
    """Larger by a factor of beta, and 0 for beta=0."""
    return (smooth_l1_loss(input, target, beta, reduction).float() * beta).to(input.dtype)


def _no_offset(x, y, beta=1.0):
    d = (x - y).abs()
    return torch.where(d < beta, 0.5 * d * d / beta, d)


def _keep_sign(x, y, beta=1.0):
    d = x - y
    return torch.where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta)


def _never_zero(input, target, beta=1.0, reduction="mean"):
    """Divides by a beta of at least 1e-2."""
    return smooth_l1_loss(input, target, max(beta, 1e-2), reduction)


TASK = pointwise_loss(
    smooth_l1_loss,
    pairs=pairs,
    values=(*SIZES, "close", "special"),
    arguments=(argument("beta", not_given=None, half=0.5, tenth=0.1, wide=3.0, zero=0.0),),
    # One NaN makes NaN of the whole sum.
    valid=lambda chosen: chosen["values"] != "special" or chosen["reduction"] == "none",
    corners=(
        {"values": "special", "reduction": "none"},
        {"values": "small", "reduction": "none", "beta": "zero"},
        {"shape": "long", "reduction": "sum", "beta": "wide"},
        {"shape": "matrix", "beta": "half", "reduction": "none"},
        {"dtype": "float16", "values": "large", "reduction": "mean"},
    ),
    flops=5,
    eager=torch.nn.functional.smooth_l1_loss,
    contract=Close(scale=rounding),
    huge=HugeCall({"dtype": torch.bfloat16, "reduction": "none"}),
    timings=case(shape=(1 << 26,), dtype=torch.float32, beta=0.5)
    + case(shape=(8191, 4099), dtype=torch.float32, reduction="none")
    + case(shape=(1 << 20,), dtype=torch.float32, reduction="sum", beta=0.1),
    mutants=(
        ignore_argument(smooth_l1_loss, "beta"),
        Mutant("Huber loss", _huber, ("beta",)),
        Mutant("no half beta taken off", other_losses(_no_offset), ("beta",)),
        Mutant(
            "quadratic for every negative difference", other_losses(_keep_sign), ("input", "target")
        ),
        Mutant("beta is never 0", _never_zero, ("beta",)),
    ),
    difficulty=2,
)
