"""Chebyshev polynomial of the first kind of degree n, elementwise.

T_0(x) = 1, T_1(x) = x, T_(n + 1)(x) = 2 x T_n(x) - T_(n - 1)(x). For |x| <= 1 that is
cos(n acos(x)), for x > 1 it is cosh(n acosh(x)), and T_n(-x) = (-1)^n T_n(x): x is any number.
`n` is an int of at most 60. n < 0 gives 0 and n = 0 gives 1 for every element, NaN too. For n >= 1
NaN gives NaN, +inf gives +inf, and -inf gives +inf for even n and -inf for odd n; a result that is
too large for its dtype is infinite in the same way, never NaN.
Results of 16 bits are computed in float32 and rounded once.
One rounding of x moves the result by |x T_n'(x)| * 2^-24: a few of these are allowed as well, and
a few roundings of each T_k(x) that the recurrence goes through, carried to the end by it. So an
error near a zero is judged by the slope there: cos(n acos(x)) in float32 is less accurate where |x|
is small, the recurrence is not.
"""

import math

import torch

from kernelbenchx.spec import argument, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import trivial
from kernelbenchx.spec.families.special_functions import (
    in_float32,
    round_exact,
    scale_by_conditioning,
    special,
    value_mutant,
)
from kernelbenchx.spec.huge_call import HugeCall

LARGEST = 1e300


def exact(input: torch.Tensor, n: int) -> torch.Tensor:
    if n <= 0:
        return torch.full_like(input, 1.0 if n == 0 else 0.0)
    x = input.abs()
    before, value = torch.ones_like(x), x
    for _ in range(n - 1):  # infinity minus infinity is kept out
        before, value = value, 2 * x * value - before.clamp(max=LARGEST)
    return value * torch.where(input < 0, (-1.0) ** n, 1.0)


def chebyshev_polynomial_t(
    input: torch.Tensor, n: int, out: torch.Tensor | None = None
) -> torch.Tensor:
    return round_exact(exact, input, n=n, out=out)


def size(input: torch.Tensor, n: int) -> torch.Tensor:
    """The conditioning, and what roundings of T_k become: U_(n - k) carries them to the end."""
    x = input.abs()
    first, second = [torch.ones_like(x), x], [torch.ones_like(x), 2 * x]
    for _ in range(n - 1):
        first.append(2 * x * first[-1] - first[-2])
        second.append(2 * x * second[-1] - second[-2])
    carried = (first[k] * second[n - k] for k in range(1, n + 1))
    return scale_by_conditioning(exact)(input, n=n) + sum(one.abs() for one in carried)


def _angles(x: torch.Tensor, n: int) -> torch.Tensor:
    """The trigonometric form in float32."""
    cosine = torch.cos(n * torch.acos(x.float())).double()
    return torch.where((x.abs() < 1) & (n > 1), cosine, exact(x, n))


def _second_kind(x: torch.Tensor, n: int) -> torch.Tensor:
    """U_n: the same recurrence from 2 x."""
    return exact(x, n) if n < 1 else (exact(x, n + 1) - exact(x, n - 1)) / (x * x - 1) / 2


_DEGREES = argument(
    "n", three=3, negative=-2, zero=0, one=1, two=2, five=5, twelve=12, fifty_nine=59
)
TASK = special(
    chebyshev_polynomial_t,
    exact,
    in_float32(torch.special.chebyshev_polynomial_t),
    size,
    draw=(-1.0, 1.0),
    ranges={"small": 1e-3, "near one": (0.99, 1.01), "outside": (-3.0, 3.0), "large": 100.0},
    planted=(
        *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e-6, 1.0000001, -1.5, 1e4, -1e4),
        *(math.inf, -math.inf, math.nan),
    ),
    integers=(-9, 10),
    arguments=(trivial(_DEGREES, "negative", "zero", "one"),),
    flops=10,
    huge=HugeCall({"dtype": torch.float16, "n": 3}),
    timings=case(shape=(1 << 26,), dtype=torch.float32, n=3)
    + case(shape=((1 << 24) + 1,), dtype=torch.float32, n=5),
    mutants=(
        value_mutant("degree n + 1", lambda x, n: exact(x, n + 1 if n >= 0 else n), "n"),
        value_mutant("degree 3 for every n", lambda x, n: exact(x, 3), "n"),
        value_mutant("second kind", _second_kind),
        value_mutant("cos(n acos(x)) in float32", _angles),
        value_mutant("x clamped to [-1, 1]", lambda x, n: exact(x.clamp(-1, 1), n)),
        value_mutant("degree |n|", lambda x, n: exact(x, abs(n)), "n"),
        value_mutant("even", lambda x, n: exact(x.abs(), n)),
        mistakes.fresh_beside_out(chebyshev_polynomial_t),
    ),
    difficulty=3,
)
