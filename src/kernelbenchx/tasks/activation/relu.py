"""Rectified linear unit, elementwise: max(x, 0).

NaN gives NaN, +inf gives +inf, -inf gives 0.
"""

import math

import torch

from kernelbenchx.spec import Exact, Mutant, case, elementwise


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.nn.functional.relu(input, inplace=inplace)


def _identity(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return input if inplace else input.clone()


def _clamped_at_six(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    result = relu(input).clamp(max=6.0)
    return input.copy_(result) if inplace else result


def _without_nan(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    result = torch.where(input > 0, input, 0.0)
    return input.copy_(result) if inplace else result


TASK = elementwise(
    relu,
    contract=Exact(),
    ranges={"small": 1e-3, "large": 100.0},
    planted=(math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-7, -1e-7, 6e4, -6e4),
    # In every run: an input in place that a copy does not reach.
    checks=case(shape=(17, 33), dtype=torch.float32, layout="transposed", inplace=True),
    mutants=(
        Mutant("identity", _identity, ("B-PERFD",)),
        Mutant("clamped at six", _clamped_at_six),
        Mutant("NaN becomes zero", _without_nan),
    ),
    difficulty=2,
    audit=("B-PERFD",),
)
