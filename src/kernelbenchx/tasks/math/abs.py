"""Absolute value, elementwise: |x|.

-0.0 gives +0.0, an infinity gives +inf, NaN gives NaN. The most negative integer has no positive
counterpart and stays as it is, as in two's complement.
"""

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.spec.families.corners import ENDS
from kernelbenchx.spec.families.exact_elementwise import exact_elementwise
from kernelbenchx.spec.families.mistakes import store_result


def abs(input: torch.Tensor, /, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.abs(input, out=out)


def _identity(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return store_result(input.clone(), out)


def _negated_below_zero(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return store_result(torch.where(input < 0, -input, input), out)


def _root_of_square(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    if not input.is_floating_point():
        return abs(input, out)
    return store_result((input * input).sqrt(), out)


def _saturate_integers(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    result = abs(input)
    if not input.is_floating_point():
        most = torch.iinfo(input.dtype).max
        result = torch.where(result < 0, torch.full_like(result, most), result)
    return store_result(result, out)


TASK = exact_elementwise(
    abs,
    ranges={"small": 1e-3, "large": 1e4},
    planted=(0.0, -0.0, 6e4, -6e4, 1e-7, -1e-7, *ENDS),
    mutants=(
        Mutant("identity", _identity, ("B-PERFD",)),
        Mutant("-0.0 kept", _negated_below_zero),
        Mutant("root of the square", _root_of_square),
        Mutant("most negative integer saturated", _saturate_integers, ("dtype",)),
    ),
    difficulty=1,
    audit=("B-PERFD",),
)
