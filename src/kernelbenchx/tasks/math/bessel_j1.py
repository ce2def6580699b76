"""Bessel function of the first kind of order 1, elementwise.

J1(x) = sum over k of (-1)^k (x / 2)^(2k + 1) / (k! (k + 1)!): odd, 0 at 0, about
sqrt(2 / (pi |x|)) in size for large |x|. Both infinities give 0, the limit (torch's own function
gives NaN, and near 5 it is wrong in the seventh digit). NaN gives NaN.
Results of 16 bits are computed in float32 and rounded once.
One rounding of x moves the result, or its phase, by up to |x| (|J0(x)| + |J1(x)|) * 2^-24: a few of
these are allowed as well, so that an error near a zero is judged by the slopes around it. From
|x| = 2^22 on that is more than J1.
"""

import math

import torch

from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.elementwise import timings
from kernelbenchx.spec.families.special_functions import (
    in_float32,
    round_exact,
    special,
    value_mutant,
)

POINTS, TERMS, FAR = 64, 24, 20.0


def exact(input: torch.Tensor) -> torch.Tensor:
    x = input.abs()
    near = torch.zeros_like(x)
    for k in range(POINTS // 2):  # Bessel's integral by the midpoint rule
        sine = math.sin(math.pi * (k + 0.5) / POINTS)
        near += sine * torch.sin(x * sine) * (2 / POINTS)
    value = torch.where(x < FAR, near, hankel(x, TERMS))
    return torch.where(input.isinf(), 0.0, value * torch.where(input < 0, -1.0, 1.0))


def hankel(x: torch.Tensor, terms: int) -> torch.Tensor:
    """The asymptotic expansion for large x > 0."""
    sums = [torch.ones_like(x), torch.zeros_like(x)]
    term = torch.ones_like(x)
    for k in range(1, terms):
        term = term * (4 - (2 * k - 1) ** 2) / (8 * k * x)
        sums[k % 2] += term * (-1) ** (k // 2)
    angle = x - 0.75 * math.pi
    return (sums[0] * angle.cos() - sums[1] * angle.sin()) * torch.sqrt(2 / (math.pi * x))


def bessel_j1(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_exact(exact, input, out=out)


def size(input: torch.Tensor) -> torch.Tensor:
    """The conditioning, with the amplitude of the slope: phases are rounded, too."""
    value = exact(input).abs()
    other: torch.Tensor = torch.special.bessel_j0(input)
    return value + input.abs() * (value + other.abs())


def _series(input: torch.Tensor) -> torch.Tensor:
    """Twelve terms: enough up to about 6."""
    term = total = input / 2
    for k in range(1, 12):
        term = -term * input * input / (4 * k * (k + 1))
        total = total + term
    return torch.where(input.abs() < 1e3, total, exact(input))


def _first_term(input: torch.Tensor) -> torch.Tensor:
    sign = torch.where(input < 0, -1.0, 1.0)
    return torch.where(input.abs() > 25, sign * hankel(input.abs(), 1), exact(input))


TASK = special(
    bessel_j1,
    exact,
    in_float32(torch.special.bessel_j1),
    size,
    draw=(-40.0, 40.0),
    ranges={
        "tiny": 1e-3,
        "small": (-4.0, 4.0),
        "first zero": (3.8, 3.86),
        "middle": (-9.0, -3.0),
        "large": (-1e4, 1e4),
    },
    planted=(0.0, -0.0, 3.8317, -7.01559, 5.04, -3.0, 3.0, 1e-5, math.inf, -math.inf, math.nan),
    integers=(-50, 50),
    flops=25,
    timings=timings((torch.float32,)),
    mutants=(
        value_mutant("twelve terms of the series", _series),
        value_mutant("first term of the asymptotic expansion", _first_term),
        value_mutant("order 0", lambda x: torch.special.bessel_j0(x).nan_to_num(0.0)),
        value_mutant("even", lambda x: exact(x.abs())),
        value_mutant("infinities give NaN", lambda x: exact(x) + 0 * x),
        value_mutant("NaN cleaned away", lambda x: exact(x).nan_to_num(0.0)),
        mistakes.fresh_beside_out(bessel_j1),
    ),
    difficulty=3,
)
