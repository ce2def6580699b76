"""Product of two tensors, or of a tensor and a number: input * other.

float16 with float32 gives float32, an integer tensor with a float tensor gives the float dtype, an
integer tensor with a float number gives float32, a number never widens a tensor of its own kind.
Integer products are exact modulo 2^32 (int32) or 2^64 (int64) and wrap around like two's complement
numbers; they pass through no float. Results of 16 bits are the product in float32, rounded once: a
product beyond the range of the dtype is an infinity, inf * 0 is NaN, and NaN gives NaN.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Close, Draw, Mutant, binary, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.operands import in_float64

Shape = tuple[int, ...]
PAIRS = {
    # 300 * 300 is beyond float16, 1e-4 * 1e-4 among the subnormal numbers of float16.
    "large and small": ((300.0, 300.0), (-300.0, 250.0), (1e-4, 1e-4), (1e20, 1e-20), (256.0, 0.5)),
    "special": (
        *((math.inf, 0.0), (0.0, -math.inf), (math.inf, -2.0), (-math.inf, -math.inf)),
        *((math.nan, 0.0), (0.0, math.nan), (0.0, -3.0), (1e30, 1e30), (-1e30, 1e30)),
    ),
}


def mul(
    input: torch.Tensor, other: torch.Tensor | int | float, out: torch.Tensor | None = None
) -> torch.Tensor:
    return torch.mul(input, other, out=out)


def wrapping(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
    """So wide that about half of all products need more bits than the dtype has."""
    reach = 2**17 if dtype == torch.int32 else 2**33
    return draw.integers(shape, -reach, reach, dtype)


def through(dtype: torch.dtype) -> Any:
    """Computes 16-bit products in another dtype of 16 bits."""

    def answer(input, other, out=None):
        result = torch.mul(input, other)
        if result.dtype.itemsize == 2:
            narrow = other.to(dtype) if isinstance(other, torch.Tensor) else other
            result = torch.mul(input.to(dtype), narrow).to(result.dtype)
        return mistakes.store_result(result, out)

    return answer


def _through_double(input, other, out=None):
    result = input.double() * (other.double() if isinstance(other, torch.Tensor) else other)
    return mistakes.store_result(result.to(torch.result_type(input, other)), out)


def _saturate_integers(input, other, out=None):
    right = torch.mul(input, other)
    if right.is_floating_point():
        return mistakes.store_result(right, out)
    size = input.double() * (other.double() if isinstance(other, torch.Tensor) else other)
    most = torch.iinfo(right.dtype).max
    return mistakes.store_result(torch.where(size.abs() <= most, right, most), out)


TASK = binary(
    mul,
    pairs=PAIRS,
    integers=(wrapping, wrapping),
    corners=(
        {"dtype": "int32", "other": "row", "shape": "matrix"},
        {"dtype": "int64", "other": "number"},
        {"out": "strided"},
        {"values": "special"},
        {"dtype": "float16", "values": "special"},
    ),
    contract=Close(),
    truth=in_float64(mul, torch.mul),
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.float16)
    + case(shape=(4099, 5003), dtype=torch.float32, other=(5003,)),
    mutants=(
        Mutant("16 bits computed in bfloat16", through(torch.bfloat16), ("W-PDT",)),
        Mutant("integers through float64", _through_double, ("other",)),
        Mutant("integers saturate", _saturate_integers),
        Mutant(
            "zero times anything is zero",
            lambda x, y, out=None: mistakes.store_result(
                torch.where((x == 0) | (torch.as_tensor(y) == 0), 0, mul(x, y)).to(mul(x, y).dtype),
                out,
            ),
        ),
        mistakes.fresh_beside_out(mul),
    ),
    difficulty=3,
    audit=("W-PDT",),
)
