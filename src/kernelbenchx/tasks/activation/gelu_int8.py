"""Gaussian error linear unit of 8-bit codes, elementwise, int8 to int8.

With x = input * scale_in and y = gelu(x), the result is y / scale_out, rounded to the nearest
integer (ties to even) and then clamped to [-128, 127]. Nothing is rounded to an integer before.
With approximate='none', gelu(x) is 0.5 * x * (1 + erf(x / sqrt(2))).
With approximate='tanh', it is 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))).
scale_in and scale_out are positive finite numbers. They are such that float32 is enough: no
quotient within the range lies so near to a tie that rounding in float32 could decide it.

The published task has no scales. It truncates float32 values that lie just below integers, so that
their last bits decide, and cannot tell the two forms apart. Its calls stand for scales of 1 here.
"""

import math
from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec import Call, Cost, Draw, Exact, Mutant, argument, call, case, elementwise
from kernelbenchx.spec.families.mistakes import ignore_argument
from kernelbenchx.spec.huge_call import HugeCall

INT8 = torch.int8
FINE = {"dtype": INT8, "scale_in": 0.049, "scale_out": 0.001175}
"""Both forms differ in many codes, and some results are clamped at either end."""
COARSE = {"dtype": INT8, "scale_in": 0.049, "scale_out": 0.039}


def gelu_int8(
    input: torch.Tensor,
    approximate: str = "none",
    *,
    scale_in: float = 1.0,
    scale_out: float = 1.0,
) -> torch.Tensor:
    wide = torch.nn.functional.gelu(input.double() * scale_in, approximate=approximate)
    return (wide / scale_out).round().clamp(-128, 127).to(INT8)


def eager(input, approximate="none", *, scale_in=1.0, scale_out=1.0):
    value = torch.nn.functional.gelu(input.float() * scale_in, approximate=approximate)
    return (value / scale_out).round().clamp(-128, 127).to(INT8)


def inputs(draw: Draw, shape: Any, dtype: Any, layout: str = "contiguous", **words: Any) -> Call:
    """Every code occurs."""
    return call(draw.laid_out(draw.integers(shape, -128, 128, dtype), layout), **words)


def cost(shape: tuple[int, ...], **_: Any) -> Cost:
    """A byte is read and a byte is written; with 256 codes little need be computed."""
    return Cost(flops=math.prod(shape), bytes=2 * math.prod(shape))


def _wrong(last):
    """A wrong answer from GELU in wide numbers and the scale of the result."""

    def answer(input, approximate="none", *, scale_in=1.0, scale_out=1.0):
        y = torch.nn.functional.gelu(input.double() * scale_in, approximate=approximate)
        return last(y, scale_out).to(INT8)

    return answer


_FAMILY = elementwise(
    gelu_int8,
    dtypes=(INT8,),
    # No code of these scales gives a quotient near a tie; a test looks at each.
    arguments=(
        argument("approximate", not_given=None, none="none", tanh="tanh"),
        argument("scale_in", not_given=None, twentieth=0.049, thirtieth=0.032),
        argument("scale_out", not_given=None, similar=0.039, fine=0.001175, coarse=0.6),
    ),
    checks=case(shape=(37, 53), approximate="tanh", **FINE) + case(shape=(3000,), **FINE),
    contract=Exact(),
    truth=None,
    eager=eager,
    huge=HugeCall(COARSE),
    timings=case(shape=(1 << 26,), **COARSE)
    + case(shape=(8192, 16384), approximate="tanh", **FINE)
    + case(shape=((1 << 24) + 1,), **FINE),
    mutants=(
        Mutant("truncated", _wrong(lambda y, s: (y / s).clamp(-128, 127).trunc()), ("C-ROUND",)),
        Mutant("GELU rounded", _wrong(lambda y, s: (y.round() / s).round().clamp(-128, 127))),
        Mutant("wraps around", _wrong(lambda y, s: (y / s).round().long())),
        Mutant("not below -127", _wrong(lambda y, s: (y / s).round().clamp(-127, 127))),
        Mutant("nothing below 0", _wrong(lambda y, s: (y / s).round().clamp(0, 127))),
        ignore_argument(gelu_int8, "approximate", "W-ARG"),
        ignore_argument(gelu_int8, "scale_in", "B-SPEC"),
        ignore_argument(gelu_int8, "scale_out", "B-SPEC"),
    ),
    difficulty=1,
    audit=("C-ROUND", "B-SPEC", "W-ARG"),
)
TASK = replace(_FAMILY, inputs=inputs, cost=cost)
