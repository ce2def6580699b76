"""Airy function of the first kind, elementwise: the solution of y'' = x y that decays for x > 0.

Ai(0) = 0.355028, Ai'(0) = -0.258819. With z = 2/3 |x|^1.5 it is about exp(-z) / (2 sqrt(pi) x^0.25)
for large x > 0 and about sin(z + pi/4) / (sqrt(pi) |x|^0.25) for large x < 0. Both infinities give
0, the limit (torch's own function gives NaN, and around -2.1 it is wrong in the sixth digit).
NaN gives NaN. Results of 16 bits are computed in float32 and rounded once.
One rounding of x moves the result by |x Ai'(x)| * 2^-24: a few of these are allowed as well, so
that an error near a zero is judged by the slopes around it. For x < -2, where phases are rounded,
too, Ai'(x) stands for its amplitude |x|^0.25 / sqrt(pi); from -3e4 on that is more than Ai.
"""

import math

import torch

from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.elementwise import timings
from kernelbenchx.spec.families.special_functions import (
    in_float32,
    round_exact,
    scale_by_conditioning,
    special,
    value_mutant,
)

AT_0, SLOPE_AT_0 = 0.355028053887817239, 0.258819403792806798


def exact(input: torch.Tensor) -> torch.Tensor:
    value = torch.where(input < -8, oscillating(-input, 20), series(input, 45))
    return torch.where(input.isinf(), 0.0, torch.where(input > 2, decaying(input), value))


def series(x: torch.Tensor, terms: int) -> torch.Tensor:
    """The first terms of Maclaurin's series."""
    cube = x * x * x
    first = torch.full_like(x, AT_0)
    second = SLOPE_AT_0 * x
    total = first - second
    for k in range(1, terms):
        first = first * cube / (3 * k * (3 * k - 1))
        second = second * cube / (3 * k * (3 * k + 1))
        total = total + (first - second)
    return total


def decaying(x: torch.Tensor) -> torch.Tensor:
    """exp(-z) / (pi x^0.25) times the integral of exp(-s^2) cos(s^3 / (3 x^0.75)), s > 0."""
    root = x.clamp(min=1e-30).sqrt()
    pitch = 1 / (3 * root * root.sqrt())
    total = torch.full_like(x, 0.5)
    for k in range(1, 26):
        total += math.exp(-((k / 4) ** 2)) * torch.cos((k / 4) ** 3 * pitch)
    return total / (4 * math.pi) * torch.exp(-2 / 3 * x * root) / root.sqrt()


def oscillating(x: torch.Tensor, terms: int) -> torch.Tensor:
    """The asymptotic expansion of Ai(-x) for large x > 0."""
    phase = 2 / 3 * x * x.sqrt()
    sums = [torch.ones_like(x), torch.zeros_like(x)]
    term = torch.ones_like(x)
    for k in range(1, terms):
        term = term * ((6 * k - 5) * (6 * k - 3) * (6 * k - 1)) / (216 * k * (2 * k - 1) * phase)
        sums[k % 2] += term * (-1) ** (k // 2)
    angle = phase - math.pi / 4
    return (angle.cos() * sums[0] + angle.sin() * sums[1]) / (math.pi * x.sqrt()).sqrt()


def size(input: torch.Tensor) -> torch.Tensor:
    """The conditioning; on the left with the amplitude of the slope: phases are rounded, too."""
    wave = exact(input).abs() + input.abs() ** 1.25 / math.sqrt(math.pi)
    return torch.where(input < -2, wave, scale_by_conditioning(exact)(input))


def airy_ai(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_exact(exact, input, out=out)


TASK = special(
    airy_ai,
    exact,
    in_float32(torch.special.airy_ai),
    size,
    draw=(-40.0, -4.0),
    ranges={
        "tiny": 1e-3,
        "middle": (-5.0, 3.0),
        "first zero": (-2.36, -2.05),
        "decaying": (0.0, 26.0),
        "both signs": (-25.0, 10.0),
        "large": (-2e3, -40.0),
    },
    planted=(0.0, -0.0, -2.338107, -2.3, 1.3, -4.0879, 10.0, 120.0, math.inf, -math.inf, math.nan),
    integers=(-40, 12),
    flops=40,
    timings=timings((torch.float32,)),
    mutants=(
        value_mutant("ten terms of the series", lambda x: exact(x).where(x < 0, series(x, 10))),
        value_mutant(
            "first term of the oscillation", lambda x: exact(x).where(~(x < -6), oscillating(-x, 1))
        ),
        value_mutant("zero beyond 5", lambda x: exact(x).where(~(x > 5), 0.0)),
        value_mutant("torch's own coefficients", torch.special.airy_ai),
        value_mutant("infinities give NaN", lambda x: exact(x) + 0 * x),
        value_mutant("sign of x lost", lambda x: exact(-x.abs())),
        mistakes.fresh_beside_out(airy_ai),
    ),
    difficulty=4,
)
