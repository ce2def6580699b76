"""Logarithm of the absolute value of the gamma function, elementwise: ln|Gamma(x)|.

+inf at 0, at all negative integers and at both infinities. For other x < 0 the gamma function's
sign does not matter: ln|Gamma(x)| = ln|pi / (x sin(pi x))| - ln Gamma(-x), so -2.5 gives -0.0562.
The published formula ln Gamma(|x|) is not meant. NaN gives NaN.
Results of 16 bits are computed in float32 and rounded once.
One rounding of x moves the result by |x psi(x)| * 2^-24: a few of these are allowed as well, so
that an error near a zero (1, 2, and others below -2) is judged by the slope there. For x < 0 both
terms of the reflection above may be rounded, as they cancel between -3 and -2.
"""

import math

import torch

from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.special_functions import (
    round_exact,
    scale_by_conditioning,
    special,
    value_mutant,
)


def exact(input: torch.Tensor) -> torch.Tensor:
    value: torch.Tensor = torch.special.gammaln(input)
    return value


def gammaln(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_exact(exact, input, out=out)


def size(input: torch.Tensor) -> torch.Tensor:
    """The conditioning, and for negative x the sizes of both terms of the reflection."""
    positive = exact(input.abs())
    terms = positive.abs() + (exact(input) + positive).abs()
    return scale_by_conditioning(exact)(input) + torch.where(input < 0, terms, 0.0)


def _stirling(x: torch.Tensor) -> torch.Tensor:
    """Good for x above 8 or so."""
    value = (x - 0.5) * x.log() - x + 0.5 * math.log(2 * math.pi) + 1 / (12 * x)
    return torch.where(x > 1, value, exact(x))


TASK = special(
    gammaln,
    exact,
    torch.special.gammaln,
    size,
    draw=(0.0, 20.0),
    ranges={
        "tiny": 1e-3,
        "zeros": (0.95, 2.05),
        "small": (0.0, 3.5),
        "negative": (-6.0, 0.0),
        "far negative": (-900.0, -100.0),
        "large": (100.0, 6e4),
    },
    planted=(
        *(0.0, -0.0, 1.0, 2.0, 3.0, -1.0, -2.0, -8.0, 0.5, -2.5, -3.5, -2.457, -2.61, -3.001),
        *(math.inf, -math.inf, math.nan),
    ),
    integers=(-5, 1000),
    flops=20,
    mutants=(
        value_mutant("ln Gamma(|x|)", lambda x: exact(x.abs()), "B-SPEC"),
        value_mutant("Stirling's formula from 1 on", _stirling),
        value_mutant("NaN for x < 0", lambda x: exact(x).where(~(x < 0), math.nan)),
        value_mutant(
            "-inf at poles", lambda x: exact(x).where((x != x.round()) | (x > 0), -math.inf)
        ),
        value_mutant("ln Gamma(x + 1)", lambda x: exact(x + 1)),
        mistakes.fresh_beside_out(gammaln),
    ),
    difficulty=1,
    audit=("B-SPEC",),
)
