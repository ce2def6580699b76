"""Hurwitz zeta function: the sum over k >= 0 of (q + k)^-x, with input = x and other = q.

x = 1 gives +inf and x < 1 gives NaN, whatever q is. For x > 1: q = 0, -1, -2, ... give +inf; other
q < 0 give the sum if x is an integer ((q + k)^-x may be negative), and NaN if it is not. q is at
least -20, no element is infinite, and NaN beside an x above 1 gives NaN.
Results of 16 bits are computed in float32 and rounded once. float16 with float32 gives float32, two
integer operands give float32.
One rounding of x moves the result by |x dz/dx| * 2^-24, one of q by |q dz/dq| * 2^-24: a few of
these are allowed as well. So next to x = 1, where the sum is about 1 / (x - 1), errors are judged
by the slope, and x - 1 must not be rounded. For q < 0 the slope in x is that of |q + k|^-x.
"""

import math

import torch

from kernelbenchx.spec import Close, Draw, binary, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.special_functions import (
    ExactTruth,
    LocalScale,
    in_float32,
    round_exact,
    scale_by_conditioning,
    value_mutant,
)

Operand = torch.Tensor | float


def exact(input: torch.Tensor, other: Operand) -> torch.Tensor:
    value: torch.Tensor = torch.special.zeta(input, other)
    return value


def zeta(input: torch.Tensor, other: Operand, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_exact(exact, input, other, out=out)


def size(x: torch.Tensor, q: Operand) -> torch.Tensor:
    """The conditioning; for q < 0, where x cannot move, with the slope of the largest term in x."""
    start = torch.as_tensor(q, dtype=torch.float64, device=x.device)
    near = (start - start.round()).abs()
    slope = (x * near.log()).abs() * near**-x
    return scale_by_conditioning(exact)(x, q) + torch.where((start < 0) & (near > 0), slope, 0.0)


def _orders(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """From 1.25, most of them small."""
    return (1.25 + 12 * draw.uniform(shape, torch.float64) ** 2).to(dtype)


def _starts(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return draw.uniform(shape, dtype, 0.1, 30.0)


def _whole(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return draw.integers(shape, 1, 40, dtype)


def _few_terms(x: torch.Tensor, q: Operand) -> torch.Tensor:
    total = sum((q + k) ** -x for k in range(30))
    value: torch.Tensor = exact(x, q)
    return value.where(~(x > 1) | ~(torch.as_tensor(q) > 0), total)


def _rounded_pole(x: torch.Tensor, q: Operand) -> torch.Tensor:
    """x - 1 as a multiple of 1 / 1024."""
    near = (x > 1) & (x < 1.1)
    value: torch.Tensor = exact(torch.where(near, 1 + ((x - 1) * 1024).round() / 1024, x), q)
    return value


NEAR_ONE = tuple((1 + 2.0**-k, q) for k, q in ((20, 0.7), (13, 3.0), (9, 1.0), (6, 9.5), (3, 0.2)))
TASK = binary(
    zeta,
    eager=in_float32(torch.special.zeta),
    first=_orders,
    second=_starts,
    integers=(_whole, _whole),
    numbers=(0.3, 1.75, 12.5),
    pairs={
        "near one": (*NEAR_ONE, (1.0, 2.0), (0.999, 2.0), (0.0, 1.0), (-2.0, 3.0), (-3.5, 0.5)),
        "negative": (
            *((2.0, -0.5), (3.0, -0.5), (3.0, -1.625), (2.0, -7.25), (5.0, -19.75), (4.0, -12.5)),
            *((2.5, -0.5), (2.0, 0.0), (3.0, -1.0), (2.5, -4.0), (1.0, -2.0), (7.0, -2.375)),
        ),
        "special": (
            *((2.0, 1.0), (4.0, 1.0), (2.0, 1e-4), (30.0, 0.9), (40.0, 1.0), (2.0, 1e4)),
            *((1.5, 6e4), (25.0, 3.0), (100.0, 1.125), (math.nan, 2.0), (2.0, math.nan)),
        ),
    },
    corners=({"values": "near one"}, {"values": "negative"}, {"values": "special"}),
    flops=40,
    truth=ExactTruth(exact),
    contract=Close(scale=LocalScale(size)),
    timings=case(shape=(1 << 24,), dtype=torch.float32)
    + case(shape=(1 << 26,), dtype=torch.float32, other=(1,))
    + case(shape=(4099, 5003), dtype=torch.float32, other=(5003,)),
    mutants=(
        value_mutant("thirty terms", _few_terms),
        value_mutant("x - 1 rounded", _rounded_pole),
        value_mutant("Riemann's zeta", lambda x, q: exact(x, q * 0 + 1), "other"),
        value_mutant("sum from k = 1", lambda x, q: exact(x, q + 1), "other"),
        value_mutant("NaN for all q <= 0", lambda x, q: exact(x, q).where(q + 0 * x > 0, math.nan)),
        value_mutant("infinite up to 1", lambda x, q: exact(x.clamp(min=1), q)),
        mistakes.fresh_beside_out(zeta),
    ),
    difficulty=3,
)
