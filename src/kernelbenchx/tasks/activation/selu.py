"""Scaled exponential linear unit, elementwise.

scale * (max(0, x) + min(0, alpha * (exp(x) - 1))) with alpha = 1.6732632423543772 and
scale = 1.0507009873554805, so SELU(1) = 1.0507. exp(x) - 1 must be accurate to a few units in the
last place also where x is near 0, as expm1 is: the difference of two rounded numbers is not.
NaN gives NaN, +inf gives +inf, -inf gives -scale * alpha. The published reference takes min(x, .)
and ignores inplace; here the written formula holds.
"""

import math

import torch

from kernelbenchx.spec import Mutant, case, elementwise

ALPHA, SCALE = 1.6732632423543772, 1.0507009873554805


def selu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.nn.functional.selu(input, inplace=inplace)


def _take_published_minimum(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    wide = input.double()
    lower = torch.minimum(wide, ALPHA * torch.expm1(wide))
    result = (SCALE * (wide.clamp(min=0) + lower)).to(input.dtype)
    return input.copy_(result) if inplace else result


def _rounded_difference(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    wide = input.float()
    lower = (ALPHA * (torch.exp(wide) - 1)).clamp(max=0)
    result = (SCALE * (wide.clamp(min=0) + lower)).to(input.dtype)
    return input.copy_(result) if inplace else result


TASK = elementwise(
    selu,
    ranges={"small": 1e-4, "large": 20.0},
    planted=(1.0, -1.0, 0.0, -1e-5, -1e-7, 1e-7, -5.0, -100.0, math.inf, -math.inf, math.nan),
    # In every run: an input in place that a copy does not reach.
    checks=case(shape=(17, 33), dtype=torch.float32, layout="transposed", inplace=True),
    roundings=4,
    flops=4,
    mutants=(
        Mutant("minimum with x", _take_published_minimum, ("I-REF",)),
        Mutant("difference of two rounded numbers", _rounded_difference),
        Mutant(
            "scale left out",
            lambda input, inplace=False: torch.nn.functional.elu(input, ALPHA, inplace=inplace),
        ),
    ),
    difficulty=1,
    audit=("I-REF",),
)
