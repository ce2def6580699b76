"""Digamma function, elementwise: the derivative of ln|Gamma(x)|.

psi(x) = psi(x + 1) - 1 / x; for x < 0 reflection gives psi(1 - x) - pi / tan(pi x). +0.0 gives
-inf, -0.0 gives +inf, negative integers and -inf give NaN, +inf gives +inf, NaN gives NaN.
Results of 16 bits are computed in float32 and rounded once.
One rounding of x moves the result by |x psi'(x)| * 2^-24: a few of these are allowed as well, so
that an error near a zero (1.4616, and one between any two poles) is judged by the slope there.
"""

import math

import torch

from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.special_functions import round_exact, special, value_mutant


def exact(input: torch.Tensor) -> torch.Tensor:
    value: torch.Tensor = torch.special.digamma(input)
    return value


def digamma(input: torch.Tensor, /) -> torch.Tensor:
    return round_exact(exact, input)


def _asymptotic(x: torch.Tensor) -> torch.Tensor:
    """Good for x above 8 or so."""
    return torch.where(x > 1, x.log() - 0.5 / x - 1 / (12 * x * x), exact(x))


TASK = special(
    digamma,
    exact,
    torch.special.digamma,
    draw=(3.0, 40.0),  # below 3 torch's own float32 cancels too much
    ranges={
        "tiny": 1e-3,
        "small": (0.0, 2.0),
        "zero": (1.44, 1.48),
        "negative": (-8.0, 0.0),
        "far negative": (-900.0, -100.0),
        "large": (100.0, 6e4),
    },
    planted=(
        *(0.0, -0.0, -1.0, -2.0, -7.0, 1.0, 2.0, -0.5, 1.4616321, -0.504083, -3.001, -2.999),
        *(math.inf, -math.inf, math.nan),
    ),
    integers=(-5, 1000),
    flops=25,
    mutants=(
        value_mutant("asymptotic from 1 on", _asymptotic),
        value_mutant("no reflection", lambda x: exact(x.abs())),
        value_mutant("infinite at all poles", lambda x: exact(x).where(x != x.round(), -math.inf)),
        value_mutant("sign of zero ignored", lambda x: exact(x + 0.0)),
        value_mutant("ln(x) - 1 / (2 x)", lambda x: exact(x).where(~(x > 5), x.log() - 0.5 / x)),
        mistakes.first_elements_only(digamma, 1024, "W-BLOCK"),
    ),
    difficulty=2,
    audit=("W-BLOCK",),
)
