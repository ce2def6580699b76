"""Natural logarithm, elementwise.

Both zeros give -inf, anything below gives NaN, +inf gives +inf, NaN gives NaN. Near x = 1 the
result is as accurate as elsewhere, relative to its own size: 1 + 2**-23 gives 1.1920928e-7.
Subnormal numbers of float16 are numbers like all others; those of float32 and bfloat16 are not
asked for.
"""

import math

import torch

from kernelbenchx.spec import Mutant, elementwise
from kernelbenchx.spec.families.corners import ENDS, with_corners
from kernelbenchx.spec.families.round_once import round_to_input, widen_input


def log(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.log(input, out=out)


def _by_log2(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """An absolute error near 1, as fast logarithms have it."""
    exact = torch.log2(widen_input(input))
    near = (widen_input(input) - 1).abs() < 0.5
    return round_to_input(torch.where(near, exact + 2.0**-21, exact) * math.log(2), input, out)


def _kept_from_zero(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_to_input(torch.log(widen_input(input) + 1e-12), input, out)


def _of_the_size(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_to_input(torch.log(widen_input(input).abs()), input, out)


def _tiny_as_zero(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """Also what is subnormal in float16."""
    x = widen_input(input)
    return round_to_input(torch.log(torch.where(x.abs() < 2.0**-14, 0.0, x)), input, out)


TASK = with_corners(
    elementwise(
        log,
        draw=(1e-6, 10.0),
        ranges={
            "near 1": (1 - 1e-3, 1 + 1e-3),
            "around 1": (0.9, 1.1),
            "tiny": (6e-8, 6e-5),
            "large": (1.0, 6e4),
            "both signs": 1.0,
        },
        planted=(
            0.0,
            -0.0,
            1.0,
            1 + 2.0**-10,
            1 - 2.0**-11,
            1 + 2.0**-23,
            6e-8,
            3e-6,
            -1.0,
            3e38,
            2e-38,
            *ENDS,
        ),
        integers=(-1, 1000),
        roundings=2,
        flops=12,
        mutants=(
            Mutant("fast logarithm near 1", _by_log2),
            Mutant("argument kept from zero", _kept_from_zero),
            Mutant("of |x|", _of_the_size, ("input",)),
            Mutant("tiny as zero", _tiny_as_zero),
            Mutant(
                "NaN cleaned away",
                lambda x, out=None: round_to_input(log(x).nan_to_num(0.0), x, out),
            ),
        ),
        difficulty=1,
    ),
    {"shape": "matrix", "dtype": "float16", "values": "tiny"},
)
