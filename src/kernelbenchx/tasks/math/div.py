"""Quotient of two tensors: input / other, optionally rounded to an integer.

rounding_mode=None: the true quotient; two integer operands give float32. 'trunc': the quotient
rounded toward zero. 'floor': the quotient rounded toward minus infinity. Both keep integer dtypes
(exactly, int64 beyond the range of float64's integers too; integer divisors are not zero), and
give whole numbers of the float dtype otherwise. 'floor' of floats is the floor of the exact
quotient of the given numbers, not of a rounded one: float32 1 / 0.1 gives 9, as float32 0.1 is more
than 0.1. 'trunc' of floats may take the exact quotient or its correctly rounded float32 value.
A float divided by zero gives an infinity, 0 / 0 gives NaN, NaN gives NaN, in every mode; with
'floor' no operand is infinite.

`other` is a tensor or a number. Shapes broadcast and dtypes promote as `torch.result_type` says.
Tensors are float32, float16, bfloat16, int32 or int64. Results of 16 bits are computed in float32
(or wider) and rounded once. Any shape, also empty and 0-d, any strides. With `out`, a tensor of the
result's shape and dtype and any strides, the result is written into it and that same tensor is
returned.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.shapes import broadcast

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
# Whole quotients, both signs, a quotient that float32 rounds up to 10, division by zero.
PAIRS = (
    *((6.0, 3.0), (-6.0, 3.0), (7.0, -2.0), (-7.0, -2.0), (-7.0, 2.0), (9.0, 7.0), (1.0, 0.1)),
    *((-1.0, 0.1), (5.0, 0.0), (-5.0, 0.0), (0.0, 0.0), (math.nan, 1.0), (1.0, math.nan)),
)
INFINITE = ((math.inf, 2.0), (-math.inf, 2.0), (2.0, math.inf), (math.inf, math.inf))
Number = int | float


def div(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    rounding_mode: str | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    dtype = torch.result_type(input, other)
    if rounding_mode is None or dtype.itemsize > 2:
        return torch.div(input, other, rounding_mode=rounding_mode, out=out)
    # torch.div rounds a 16-bit quotient before it truncates it.
    wide = other.float() if isinstance(other, torch.Tensor) else other
    result = torch.div(input.float(), wide, rounding_mode=rounding_mode).to(dtype)
    return result if out is None else out.copy_(result)


def exact(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    rounding_mode: str | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    """In float64 where the result is not an integer."""
    if rounding_mode and not torch.result_type(input, other).is_floating_point:
        return div(input, other, rounding_mode, out)
    wide = other.double() if isinstance(other, torch.Tensor) else other
    result = torch.div(input.double(), wide, rounding_mode=rounding_mode)
    if out is not None:
        out.copy_(result)
    return result


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    other: tuple[int, ...] | Number | None = None,
    mode: str | None = None,
    layout: str = "contiguous",
    out: str | None = None,
) -> Call:
    """`other`: a shape, a number, or None for the shape of the input."""
    # A quotient of integers in float32 starts from integers that float32 holds.
    reach = 2**20 if mode is None else 2**28 if dtype == torch.int32 else 2**60
    x = _values(draw, shape, dtype, reach)
    y: torch.Tensor | Number
    if isinstance(other, int | float):
        y = other
    else:
        y = _divisors(draw, shape if other is None else other, dtype)
    if other is None and dtype.is_floating_point:
        _plant(draw, x, y, PAIRS if mode == "floor" else PAIRS + INFINITE)
    words: dict[str, Any] = {} if mode is None else {"rounding_mode": mode}
    if out is not None:
        whole = broadcast(shape, tuple(getattr(y, "shape", ())))
        words["out"] = draw.laid_out(draw.normal(whole, dtype), out)
    return call(draw.laid_out(x, layout), y, **words)


def _values(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype, reach: int) -> torch.Tensor:
    if dtype.is_floating_point:
        return draw.normal(shape, dtype, 10.0)
    return draw.integers(shape, -reach, reach, dtype)


def _divisors(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    if dtype.is_floating_point:
        return draw.normal(shape, dtype)
    return draw.integers(shape, 1, 50, dtype) * (1 - 2 * draw.integers(shape, 0, 2, dtype))


def _plant(draw: Draw, x: torch.Tensor, y: Any, pairs: tuple[tuple[float, float], ...]) -> None:
    places = draw.places(x.numel(), len(pairs))
    chosen = torch.tensor(pairs, device=x.device)[: len(places)].to(x.dtype)
    x.view(-1)[places], y.view(-1)[places] = chosen[:, 0], chosen[:, 1]


def cost(
    shape: tuple[int, ...],
    dtype: torch.dtype,
    other: tuple[int, ...] | Number | None = None,
    mode: str | None = None,
    **_,
) -> Cost:
    second = () if isinstance(other, int | float) else shape if other is None else other
    count = math.prod(broadcast(shape, second))
    read = math.prod(shape) + (0 if isinstance(other, int | float) else math.prod(second))
    wide = dtype.itemsize if mode or dtype.is_floating_point else 4
    return Cost(flops=(2 if mode else 1) * count, bytes=read * dtype.itemsize + count * wide)


def local(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    rounding_mode: str | None = None,
    out: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """One whole step where 'trunc' depends on the rounding of the quotient to float32."""
    quotient = input.double() / other
    step = torch.zeros_like(quotient)
    if rounding_mode == "trunc":
        step += 2.0**22 * (quotient.float().double().trunc() != quotient.trunc())
    return step, step


def _floor_of_rounded(x, y, rounding_mode=None, out=None):
    if rounding_mode != "floor" or not torch.result_type(x, y).is_floating_point:
        return div(x, y, rounding_mode, out)
    return torch.floor(div(x, y), out=out)


def _swapped(x, y, rounding_mode=None, out=None):
    modes = {None: None, "floor": "trunc", "trunc": "floor"}
    return div(x, y, modes[rounding_mode], out)


def _fresh(x, y, rounding_mode=None, out=None):
    result = div(x, y, rounding_mode)
    if out is not None:
        out.copy_(result)
    return result


TASK = Task(
    reference=div,
    eager=torch.div,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=local),
    checks=grid(shape=((2049,),), dtype=FLOATS, mode=(None, "trunc", "floor"))
    + grid(shape=((1025,),), dtype=(torch.int32, torch.int64), mode=(None, "trunc", "floor"))
    + case(shape=(5, 409), dtype=torch.float32, layout="strided", out="strided")
    + case(shape=(31, 37), dtype=torch.float32, mode="floor", layout="transposed", out="contiguous")
    + case(shape=(13, 1, 7), dtype=torch.float32, other=(11, 1), mode="trunc")
    + case(shape=(13, 1, 7), dtype=torch.int32, other=(11, 1), mode="floor", out="transposed")
    + case(shape=(130,), dtype=torch.float16, other=-1.75, mode="floor")
    + case(shape=(130,), dtype=torch.int64, other=-7, mode="floor")
    + case(shape=(130,), dtype=torch.int64, other=2.5)
    + case(shape=(), dtype=torch.float32, other=(), mode="floor")
    + case(shape=(1,), dtype=torch.bfloat16, other=(0,))
    + case(shape=(0, 5), dtype=torch.float32, other=2.0),
    timings=grid(shape=((1 << 26,),), dtype=(torch.float32,), mode=(None, "floor"))
    + case(shape=(8192, 8192), dtype=torch.bfloat16)
    + case(shape=(4096, 8192), dtype=torch.float32, other=(8192,)),
    mutants=(
        Mutant(
            "rounding_mode ignored",
            lambda x, y, out=None, **_: div(x, y, out=out),
            ("rounding_mode", "W-ARG"),
        ),
        Mutant("floor and trunc swapped", _swapped, ("rounding_mode", "W-ARG")),
        Mutant("floor of the rounded quotient", _floor_of_rounded, ("rounding_mode",)),
        Mutant(
            "out ignored", lambda x, y, rounding_mode=None, **_: div(x, y, rounding_mode), ("out",)
        ),
        Mutant("a fresh tensor beside out", _fresh, ("out",)),
        Patch("integer floor truncates", "((a < 0) != (b < 0))", "(a > a)", ("rounding_mode",)),
        Patch("integers through float64", "torch.int64: tl.int64", "torch.int64: tl.float64"),
        Patch("operands swapped", "q = a / b", "q = b / a", ("other",)),
        Patch(
            "other not read in order",
            "x, y = x.contiguous(), y.contiguous()",
            "x = x.contiguous()",
            ("other",),
        ),
        Patch(
            "input not read in order",
            "x, y = x.contiguous(), y.contiguous()",
            "y = y.contiguous()",
            ("input",),
        ),
        Patch("last element left out", "mask = at < n", "mask = at < n - 1"),
        Patch("first block only", "(triton.cdiv(n, 1024),)", "(1,)"),
    ),
    dtypes=FLOATS,
    difficulty=3,
    truth=exact,
    writes=("out",),
    audit=("W-ARG",),
)
