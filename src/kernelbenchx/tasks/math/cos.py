"""Cosine of an angle in radians, elementwise.

The angle is exactly the number that is given, however large it is: cos(1e20) is as accurate as
cos(1). For that, multiples of pi / 2 are taken off with as many digits of pi as the angle needs.
Near a zero of the cosine the result is as accurate as elsewhere, relative to its own size.
NaN and infinities give NaN.
"""

import math

import torch

from kernelbenchx.spec import Mutant, elementwise
from kernelbenchx.spec.families.corners import ENDS

# 16367173 * 2**72 is the float32 nearest to a multiple of pi / 2.
ANGLES = (
    math.pi / 2,
    -math.pi / 2,
    math.pi,
    11 * math.pi / 2,
    355.0,
    32768.0,
    6e4,
    16367173.0 * 2**72,
)


def cos(input: torch.Tensor, /) -> torch.Tensor:
    return torch.cos(input)


def _wide(input: torch.Tensor) -> torch.Tensor:
    return input if input.dtype == torch.float64 else input.float()


def _answer(result: torch.Tensor, input: torch.Tensor) -> torch.Tensor:
    return result.to(input.dtype) if input.is_floating_point() else result


def _moved_sine(input: torch.Tensor) -> torch.Tensor:
    return _answer(torch.sin(_wide(input) + math.pi / 2), input)


def _one_division(input: torch.Tensor) -> torch.Tensor:
    """Reduced by 2 pi as float32 has it."""
    x = _wide(input)
    turns = torch.round(x * (0.5 / math.pi))
    return _answer(torch.cos(x - turns * torch.tensor(2 * math.pi)), input)


def _reduced_in_double(input: torch.Tensor) -> torch.Tensor:
    """Enough digits for angles of ordinary size, and for no others."""
    turns = torch.fmod(input.double(), 2 * math.pi)
    return _answer(torch.cos(turns).float(), input)


def _zero_at_infinity(input: torch.Tensor) -> torch.Tensor:
    return torch.where(torch.isinf(input), 0.0, cos(input))


TASK = elementwise(
    cos,
    draw=3.0,
    ranges={"small": 1e-2, "large": 1e4, "huge": 1e30},
    planted=(*ANGLES, 0.0, -0.0, 1e8, -1e10, 3e38, *ENDS),
    integers=(-1000, 1000),
    flops=20,
    mutants=(
        Mutant("sine of a moved angle", _moved_sine),
        Mutant("reduced by a rounded 2 pi", _one_division, ("input",)),
        Mutant("reduced by a 2 pi of 53 bits", _reduced_in_double),
        Mutant("0 at infinity", _zero_at_infinity),
        Mutant("sine", lambda input: torch.sin(input)),
    ),
    difficulty=1,
)
