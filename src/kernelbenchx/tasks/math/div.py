"""Quotient of two tensors: input / other, optionally rounded to an integer.

rounding_mode=None: the true quotient; two integer operands give float32. 'trunc': the quotient
rounded toward zero. 'floor': the quotient rounded toward minus infinity. Both keep integer dtypes
(exactly, int64 beyond the range of float64's integers too; integer divisors are not zero), and
give whole numbers of the float dtype otherwise. 'floor' of floats is the floor of the exact
quotient of the given numbers, not of a rounded one: float32 1 / 0.1 gives 9, as float32 0.1 is more
than 0.1. 'trunc' of floats may take the exact quotient or its correctly rounded float32 value.
A float divided by zero gives an infinity, 0 / 0 gives NaN, NaN gives NaN, in every mode; with
'floor' no operand is infinite. Results of 16 bits are computed in float32 (or wider) and rounded
once.
"""

import math
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Close, Cost, Draw, Mutant, Normal, argument, binary, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.binary import traffic
from kernelbenchx.spec.families.operands import in_float64, wide_integers

Operand = torch.Tensor | int | float
Out = torch.Tensor | None
Mode = str | None


def div(
    input: torch.Tensor, other: Operand, rounding_mode: Mode = None, out: Out = None
) -> torch.Tensor:
    dtype = torch.result_type(input, other)
    if rounding_mode is None or dtype.itemsize > 2:
        return torch.div(input, other, rounding_mode=rounding_mode, out=out)
    # torch.div rounds a 16-bit quotient before it truncates it.
    wide = other.float() if isinstance(other, torch.Tensor) else other
    result = torch.div(input.float(), wide, rounding_mode=rounding_mode).to(dtype)
    return result if out is None else out.copy_(result)


def cost(
    shape: tuple[int, ...],
    dtype: torch.dtype,
    other: Any = None,
    other_dtype: torch.dtype | None = None,
    rounding_mode: Mode = None,
    **_: Any,
) -> Cost:
    count, read = traffic(shape, dtype, other, other_dtype)
    wide = torch.promote_types(dtype, other_dtype or dtype)
    size = wide.itemsize if rounding_mode or wide.is_floating_point else 4
    return Cost(flops=(2 if rounding_mode else 1) * count, bytes=read + count * size)


def whole_steps(input, other, rounding_mode=None, out=None):
    """One whole step where 'trunc' depends on the rounding of the quotient to float32."""
    quotient = input.double() / other
    step = torch.zeros_like(quotient)
    if rounding_mode == "trunc":
        step += 2.0**22 * (quotient.float().double().trunc() != quotient.trunc())
    return step, step


def _divisors(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return draw.integers(shape, 1, 50, dtype) * (1 - 2 * draw.integers(shape, 0, 2, dtype))


def _is_valid(chosen: Mapping[str, str]) -> bool:
    return chosen["rounding_mode"] != "floor" or chosen["values"] != "infinite"


def _floor_of_rounded(x, y, rounding_mode=None, out=None):
    if rounding_mode != "floor" or not torch.result_type(x, y).is_floating_point:
        return div(x, y, rounding_mode, out)
    return torch.floor(div(x, y), out=out)


def _swap_rounding_modes(x, y, rounding_mode=None, out=None):
    modes = {None: None, "floor": "trunc", "trunc": "floor"}
    return div(x, y, modes[rounding_mode], out)


def _through_double(x, y, rounding_mode=None, out=None):
    wide = y.double() if isinstance(y, torch.Tensor) else y
    result = torch.div(x.double(), wide, rounding_mode=rounding_mode)
    return mistakes.store_result(result.to(div(x, y, rounding_mode).dtype), out)


TASK = binary(
    div,
    eager=torch.div,
    first=Normal(size=10.0),
    pairs={
        # Whole quotients, both signs, a quotient that float32 rounds up to 10, division by zero.
        "special": (
            *((6.0, 3.0), (-6.0, 3.0), (7.0, -2.0), (-7.0, -2.0), (-7.0, 2.0), (9.0, 7.0)),
            *((1.0, 0.1), (-1.0, 0.1), (5.0, 0.0), (-5.0, 0.0), (0.0, 0.0)),
            *((math.nan, 1.0), (1.0, math.nan)),
        ),
        "infinite": ((math.inf, 2.0), (-math.inf, 2.0), (2.0, math.inf), (math.inf, math.inf)),
    },
    numbers=(-1.75, 0.25, 2.5),
    integers=(wide_integers, _divisors),
    arguments=(argument("rounding_mode", not_given=None, trunc="trunc", floor="floor"),),
    valid=_is_valid,
    corners=(
        {"rounding_mode": "floor", "values": "special"},
        {"rounding_mode": "floor", "dtype": "int64"},
        {"rounding_mode": "trunc", "out": "strided"},
    ),
    contract=Close(scale=whole_steps),
    cost=cost,
    truth=in_float64(div, torch.div),
    timings=case(shape=(1 << 26,), dtype=torch.float32, rounding_mode="floor")
    + case(shape=(8192, 8192), dtype=torch.bfloat16)
    + case(shape=(4099, 5003), dtype=torch.float32, other=(5003,)),
    mutants=(
        mistakes.ignore_argument(div, "rounding_mode", "W-ARG"),
        Mutant("floor and trunc swapped", _swap_rounding_modes, ("rounding_mode", "W-ARG")),
        Mutant("floor of the rounded quotient", _floor_of_rounded, ("rounding_mode",)),
        Mutant("integers through float64", _through_double, ("other",)),
        mistakes.fresh_beside_out(div),
    ),
    difficulty=3,
    audit=("W-ARG",),
)
