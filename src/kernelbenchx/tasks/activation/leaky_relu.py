"""Leaky rectified linear unit, elementwise: x where x > 0, else negative_slope * x.

negative_slope is any finite number: above 1 and below 0 too, where the result is no maximum of x
and negative_slope * x. 16-bit inputs are computed in float32 and rounded once. NaN gives NaN, +inf
gives +inf, -inf gives negative_slope * -inf, which is NaN for a slope of 0.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Mutant, argument, case, elementwise


def leaky_relu(
    input: torch.Tensor, negative_slope: float = 0.01, inplace: bool = False
) -> torch.Tensor:
    return torch.nn.functional.leaky_relu(input, negative_slope, inplace)


def _slope_ignored(input: torch.Tensor, inplace: bool = False, **_: Any) -> torch.Tensor:
    return leaky_relu(input, inplace=inplace)


def _slope_of_the_dtype(
    input: torch.Tensor, negative_slope: float = 0.01, inplace: bool = False
) -> torch.Tensor:
    return leaky_relu(input, float(torch.tensor(negative_slope, dtype=torch.bfloat16)), inplace)


def _wrong(answer: Any) -> Any:
    """A wrong answer from the wide input and the slope."""

    def compute_in_float64(
        input: torch.Tensor, negative_slope: float = 0.01, inplace: bool = False
    ) -> torch.Tensor:
        result = answer(input.double(), negative_slope).to(input.dtype)
        return input.copy_(result) if inplace else result

    return compute_in_float64


TASK = elementwise(
    leaky_relu,
    ranges={"small": 1e-3, "large": 100.0},
    planted=(math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-7, -1e-7, 6e4, -6e4),
    arguments=(
        argument("negative_slope", not_given=None, tenth=0.1, zero=0.0, above_one=1.7, below=-0.3),
    ),
    # In every run: 0 * -inf, and an input in place that a copy does not reach.
    checks=case(shape=(17, 33), dtype=torch.float32, negative_slope=0.0, values="special")
    + case(shape=(17, 33), dtype=torch.float32, layout="transposed", inplace=True),
    roundings=2,  # of the slope to float32, and of the product
    flops=2,
    mutants=(
        Mutant("negative_slope ignored", _slope_ignored, ("negative_slope",)),
        Mutant("slope rounded to bfloat16", _slope_of_the_dtype, ("negative_slope",)),
        Mutant("identity", _wrong(lambda x, _: x), ("B-PERFD",)),
        Mutant("maximum of both", _wrong(lambda x, slope: torch.maximum(x, slope * x))),
        Mutant("slope 0 gives 0", _wrong(lambda x, s: leaky_relu(x, s) if s else x.clamp(min=0))),
        Mutant("NaN becomes zero", _wrong(lambda x, s: leaky_relu(x, s).nan_to_num(0.0))),
    ),
    difficulty=2,
    audit=("B-PERFD",),
)
