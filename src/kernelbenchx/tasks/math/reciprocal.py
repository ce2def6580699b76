"""Reciprocal, elementwise: 1 / x.

+0.0 gives +inf, -0.0 gives -inf, an infinity gives 0, NaN gives NaN. An integer 0 gives +inf.
"""

import math

import torch

from kernelbenchx.spec import Mutant, elementwise


def reciprocal(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.reciprocal(input, out=out)


def _zero_for_zero(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    result = torch.where(input == 0, 0.0, reciprocal(input))
    return result if out is None else out.copy_(result)


def _kept_from_zero(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    result = reciprocal(input.double() + 1e-8).to(reciprocal(input).dtype)
    return result if out is None else out.copy_(result)


TASK = elementwise(
    reciprocal,
    ranges={"tiny": 1e-10, "small": 1e-2, "large": 300.0, "huge": 1e10},
    planted=(0.0, -0.0, 1.0, -3.0, 1e-4, -1e-4, 6e4, -6e4, math.inf, -math.inf, math.nan),
    integers=(-50, 50),
    mutants=(
        Mutant("zero for zero", _zero_for_zero),
        Mutant("divisor kept away from zero", _kept_from_zero),
    ),
    difficulty=2,
)
