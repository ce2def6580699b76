"""Modified Bessel function of the first kind of order 0, elementwise.

I0(x) = sum over k of (x^2 / 4)^k / (k!)^2: even, 1 at 0. float32 results are finite up to
|x| = 91.9, where I0 itself overflows, although exp(|x|) overflows from 88.73 on; both infinities
give +inf. NaN gives NaN. Results of 16 bits are computed in float32 and rounded once.
One rounding of x moves the result by |x I1(x)| * 2^-24: a few of these are allowed as well.
"""

import math

import torch

from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.special_functions import round_exact, special, value_mutant


def exact(input: torch.Tensor) -> torch.Tensor:
    return torch.where(input.isinf(), math.inf, torch.special.i0(input))


def i0(input: torch.Tensor, /, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_exact(exact, input, out=out)


def _series(input: torch.Tensor) -> torch.Tensor:
    """Twenty terms: enough up to about 10."""
    term, total = torch.ones_like(input), torch.ones_like(input)
    for k in range(1, 20):
        term = term * input * input / (4 * k * k)
        total = total + term
    return total.where(~input.isinf(), math.inf)


def _early(input: torch.Tensor) -> torch.Tensor:
    return torch.where(input.abs() > 88.73, math.inf, exact(input))


TASK = special(
    i0,
    exact,
    torch.special.i0,
    draw=(-10.0, 10.0),
    ranges={"tiny": 1e-3, "middle": (-30.0, 30.0), "large": (-92.5, 92.5), "last": (88.0, 92.0)},
    planted=(0.0, -0.0, 8.0, -8.0, 88.5, -89.5, 91.5, 95.0, math.inf, -math.inf, math.nan),
    integers=(-50, 50),
    flops=12,
    mutants=(
        value_mutant("twenty terms of the series", _series),
        value_mutant("overflows with exp", _early),
        value_mutant("order 1", lambda x: torch.special.i1(x).abs()),
        value_mutant("not even", lambda x: exact(x) * torch.where(x < 0, -1.0, 1.0)),
        value_mutant("scaled by exp(-|x|)", torch.special.i0e),
        value_mutant("NaN for infinities", torch.special.i0),
        mistakes.fresh_beside_out(i0),
    ),
    difficulty=2,
)
