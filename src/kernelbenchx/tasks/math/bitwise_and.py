"""Bitwise and of two integer or bool tensors, or of a tensor and a whole number: input & other.

Integers count as two's complement numbers: -1 & x is x. Both operands are converted to the dtype of
the result first: a wider signed one is extended by its sign, uint8 and bool by zeros, and a 0-d
tensor that does not widen the other keeps its low bits. Two bool operands give bool, their logical
and. uint8 with int8 gives int16, bool with an integer tensor gives its dtype, and a bool tensor
with a number gives int64. Numbers are ints that the tensor's dtype holds. Floats do not occur.
"""

from typing import Any

import torch

from kernelbenchx.spec import Cost, Draw, Exact, Mutant, Promise, binary, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import dtypes, other_dtypes
from kernelbenchx.spec.families.binary import traffic
from kernelbenchx.spec.families.binary_variant import binary_variant
from kernelbenchx.spec.huge_call import HugeCall

Shape = tuple[int, ...]
MAIN = (torch.int32, torch.int64)
NARROW = (torch.int16, torch.int8, torch.uint8, torch.bool)
OTHERS = (torch.int64, torch.int8, torch.uint8, torch.bool)


def bitwise_and(
    input: torch.Tensor, other: torch.Tensor | int, out: torch.Tensor | None = None
) -> torch.Tensor:
    return torch.bitwise_and(input, other, out=out)


def all_bits(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Every value is as likely as any other, and the extremes are there."""
    if dtype == torch.bool:
        return draw.booleans(shape)
    known = torch.iinfo(dtype)
    drawn = draw.integers(shape, known.min, known.max, dtype)
    return draw.plant(drawn, (0, known.min, known.max, -1 if known.min else 1))


def cost(
    shape: Shape,
    dtype: torch.dtype,
    other: Shape | int | None = None,
    other_dtype: torch.dtype | None = None,
    **_: Any,
) -> Cost:
    """As in the family; a bool tensor with a number gives int64."""
    count, read = traffic(shape, dtype, other, other_dtype)
    second = torch.int64 if isinstance(other, int) and dtype == torch.bool else other_dtype
    wide = torch.promote_types(dtype, second or dtype).itemsize
    return Cost(flops=count, bytes=read + count * wide)


def _replace_operation(operation):
    """Another operation on both operands, in the dtype of the result."""

    def answer(input, other, out=None):
        dtype = torch.result_type(input, other)
        return mistakes.store_result(operation(input, torch.as_tensor(other), dtype).to(dtype), out)

    return answer


def _zero_extended(x, y, _):
    """Operands that are narrower than the result lose their sign."""
    x, y = (v.long() & (2 ** (8 * v.itemsize) - 1 if v.itemsize < 8 else -1) for v in (x, y))
    return x & y


_FAMILY = binary(
    bitwise_and,
    pairs={},
    integers=(all_bits, all_bits),
    numbers=(5, 92, 37),
    contract=Exact(),
    cost=cost,
    timings=case(shape=(1 << 26,), dtype=torch.int32)
    + case(shape=(8192, 8192), dtype=torch.int8)
    + case(shape=(4099, 5003), dtype=torch.int64, other=(5003,)),
    mutants=(
        Mutant("or", _replace_operation(lambda x, y, dtype: x.to(dtype) | y.to(dtype))),
        Mutant("logical and", _replace_operation(lambda x, y, _: (x != 0) & (y != 0))),
        Mutant("sign of narrower operands lost", _replace_operation(_zero_extended), ("other",)),
        Mutant(
            "through float64", _replace_operation(lambda x, y, d: x.to(d).double().to(d) & y.to(d))
        ),
        Mutant("in 32 bits", _replace_operation(lambda x, y, _: x.int() & y.int())),
        mistakes.fresh_beside_out(bitwise_and),
    ),
    huge=HugeCall({"dtype": torch.int8}),
    difficulty=2,
)
_PROMOTION = next(one for one in _FAMILY.promises if one.text.startswith("Dtypes promote"))
TASK = binary_variant(
    _FAMILY,
    axes=(dtypes(MAIN, NARROW), other_dtypes("other_dtype", OTHERS)),
    corners=(
        *({"dtype": str(one).removeprefix("torch.")} for one in (*MAIN, *NARROW)),
        {"dtype": "int64", "other_dtype": "int8", "shape": "matrix", "other": "row"},
        *({"dtype": "uint8", "other_dtype": "int8"}, {"dtype": "int8", "other_dtype": "int64"}),
        {"dtype": "bool", "other": "whole number"},
        {"shape": "matrix", "layout": "transposed", "other": "column"},
        *({"out": "strided"}, {"shape": "0-d"}, {"shape": "empty"}),
    ),
    dropped=("Dtypes promote",),
    promises=(
        Promise(
            "Dtypes promote as `torch.result_type` says. Tensors are int8, uint8, int16, int32, "
            "int64 or bool.",
            "other_dtype",
            ("int64", "int8", "uint8", "bool"),
            _PROMOTION.mutant,
        ),
    ),
    dtypes=(*MAIN, *NARROW),
)
