"""Reciprocal of the square root, elementwise: 1 / sqrt(x).

+0.0 gives +inf, -0.0 gives -inf, anything below gives NaN, +inf gives 0, NaN gives NaN. An integer
0 gives +inf. Subnormal numbers of float16 are numbers like all others; those of float32 and
bfloat16 are not asked for.
"""

import math

import torch

from kernelbenchx.spec import Mutant, elementwise
from kernelbenchx.spec.families.corners import ENDS
from kernelbenchx.spec.families.round_once import round_to_input, widen_input


def rsqrt(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    # In 16 bits the host rounds the root, too.
    return round_to_input(torch.rsqrt(widen_input(input)), input, out)


def eager(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.rsqrt(input, out=out)


def _with_eps(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_to_input(torch.rsqrt(widen_input(input) + 1e-8), input, out)


def _of_the_size(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_to_input(torch.rsqrt(widen_input(input).abs()), input, out)


def _both_zeros_alike(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = widen_input(input)
    return round_to_input(torch.where(x == 0, math.inf, torch.rsqrt(x)), input, out)


def _by_bits(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """A guess from the bits and two steps of Newton."""
    x = widen_input(input).float()
    y = (0x5F3759DF - (x.contiguous().view(torch.int32) >> 1)).view(torch.float32)
    for _ in range(2):
        y = y * (1.5 - 0.5 * x * y * y)
    usual = (x > 0) & torch.isfinite(x)
    return round_to_input(torch.where(usual, y, torch.rsqrt(x)), input, out)


TASK = elementwise(
    rsqrt,
    draw=(1e-3, 10.0),
    ranges={"tiny": (6e-8, 6e-5), "large": (1.0, 6e4), "both signs": 1.0},
    planted=(0.0, -0.0, 1.0, 4.0, 6e-8, 3e-6, -1.0, -1e-7, 3e38, 2e-38, *ENDS),
    integers=(-2, 1000),
    roundings=2,
    eager=eager,
    flops=2,
    mutants=(
        Mutant("eps under the root", _with_eps),
        Mutant("of |x|", _of_the_size, ("input",)),
        Mutant("+inf for -0.0", _both_zeros_alike),
        Mutant("two steps of Newton from the bits", _by_bits),
        Mutant(
            "square root", lambda x, out=None: round_to_input(torch.sqrt(widen_input(x)), x, out)
        ),
    ),
    difficulty=1,
)
