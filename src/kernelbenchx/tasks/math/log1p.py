"""Natural logarithm of 1 + x, elementwise, accurate also where |x| is tiny.

log(1 + x) computed from the rounded sum is not accurate there: 1e-10 gives 1e-10, not 0.
-1 gives -inf, anything below gives NaN, NaN gives NaN, +inf gives +inf.
"""

import math

import torch

from kernelbenchx.spec import Mutant, elementwise


def log1p(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.log1p(input, out=out)


def _from_the_sum(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    wide = input.float()
    result = torch.log(1 + wide).to(input.dtype if input.is_floating_point() else wide.dtype)
    return result if out is None else out.copy_(result)


def _short_series(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    series = input * (1 - input * (0.5 - input * 0.3333))
    result = torch.where(input.abs() < 0.1, series, log1p(input))
    return result if out is None else out.copy_(result)


TASK = elementwise(
    log1p,
    draw=(-0.99, 10.0),
    ranges={"tiny": (-1e-6, 1e-6), "small": (-1e-3, 1e-3), "large": (0.0, 6e4)},
    planted=(-1.0, -2.0, 0.0, -0.0, 1e-10, -1e-7, 1e-5, -0.996, math.inf, -math.inf, math.nan),
    integers=(-1, 1000),
    roundings=2,
    flops=2,
    mutants=(
        Mutant("logarithm of the rounded sum", _from_the_sum),
        Mutant("three terms of the series near zero", _short_series),
    ),
    difficulty=2,
)
