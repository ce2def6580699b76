"""Polygamma function of order n, elementwise: the n-th derivative of the digamma function.

`n` is an int from 0 to 10. n = 0 is the digamma function psi(x) itself; for n >= 1 the value is
(-1)^(n + 1) n! * sum over k >= 0 of (x + k)^-(n + 1). No element is negative. 0 gives the limit
from the right: -inf for even n, +inf for odd n. +inf gives +inf for n = 0 and 0 for n >= 1. NaN
gives NaN. Results of 16 bits are computed in float32 and rounded once.
One rounding of x moves the result by |x| times its derivative times 2^-24: a few of these are
allowed as well, so that an error near the zero of psi at 1.4616 is judged by the slope there.
"""

import math

import torch

from kernelbenchx.spec import argument, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.special_functions import (
    number_first,
    round_exact,
    special,
    value_mutant,
)
from kernelbenchx.spec.huge_call import HugeCall


def exact(input: torch.Tensor, n: int) -> torch.Tensor:
    digamma: torch.Tensor = torch.special.digamma(input)
    zeta: torch.Tensor = torch.special.zeta(torch.full_like(input, n + 1), input)
    return digamma if n == 0 else zeta.where(~input.isinf(), 0.0) * signed_factorial(n)


def signed_factorial(n: int) -> float:
    return float(math.factorial(n) * (-1) ** (n + 1))


def polygamma(n: int, input: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_exact(exact, input, n=n, out=out)


def by_input(input: torch.Tensor, n: int, out: torch.Tensor | None = None) -> torch.Tensor:
    """The same with its arguments the other way round."""
    return round_exact(exact, input, n=n, out=out)


def _eager(input: torch.Tensor, n: int, out: torch.Tensor | None = None) -> torch.Tensor:
    value: torch.Tensor = torch.special.polygamma(n, input, out=out)
    return value


def _few_terms(x: torch.Tensor, n: int) -> torch.Tensor:
    """Those from k = 10 on are left out."""
    total = torch.zeros_like(x)
    for k in range(10):
        total += (x + k) ** -(n + 1)
    return exact(x, n) if n == 0 else total * signed_factorial(n)


TASK = number_first(
    special(
        by_input,
        exact,
        _eager,
        draw=(0.1, 20.0),
        ranges={
            "tiny": (1e-4, 1e-2),
            "small": (0.0, 1.5),
            "zero": (1.44, 1.48),
            "large": (50.0, 6e4),
        },
        planted=(0.0, 1.0, 0.5, 1.4616321, 2.0, 8.0, 1e-5, 300.0, math.inf, math.nan),
        integers=(0, 200),
        arguments=(argument("n", one=1, zero=0, two=2, three=3, four=4, seven=7, ten=10),),
        flops=20,
        huge=HugeCall({"dtype": torch.float16, "n": 1}),
        timings=case(shape=(1 << 26,), dtype=torch.float32, n=1)
        + case(shape=((1 << 24) + 1,), dtype=torch.float32, n=2)
        + case(shape=(8192, 8192), dtype=torch.bfloat16, n=1),
        mutants=(
            value_mutant("order n + 1", lambda x, n: exact(x, n + 1), "n"),
            value_mutant("order 1 for every n", lambda x, n: exact(x, 1), "n"),
            value_mutant("ten terms of the sum", _few_terms),
            value_mutant("n! left out", lambda x, n: exact(x, n) / math.factorial(n), "n"),
            value_mutant("sign left out", lambda x, n: exact(x, n) * (-1) ** (n + 1)),
            value_mutant("NaN for infinity", lambda x, n: exact(x, n) + 0 * x),
            mistakes.fresh_beside_out(by_input),
            mistakes.first_elements_only(by_input, 1024, "W-BLOCK"),
        ),
        difficulty=4,
        audit=("W-BLOCK",),
    ),
    polygamma,
    "n",
)
