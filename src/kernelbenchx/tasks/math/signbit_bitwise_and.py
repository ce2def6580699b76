"""Sign bits of a tensor, and its bitwise and with another: a tuple of two tensors.

The first result is bool and has the shape of `input`: True where the sign bit is set, so for -0.0
and -0.5 too; of integers where they are negative. The second is int8 and has the shape to which
both broadcast: t(input) & t(other), where t converts to int8. t cuts floats off toward zero (-0.9
gives 0, -128.5 gives -128), takes the low eight bits of an int32, and makes 1 of True. `input` is
float32, float16, bfloat16, int8 or int32, `other` a tensor of int8, bool or int32. Floats are
finite and between -129 and 128, both exclusive, so that t is defined.
"""

import math
from typing import Any, cast

import torch

from kernelbenchx.spec import Call, Cost, Draw, Exact, Mutant, binary, call, case
from kernelbenchx.spec.families.axes import FLOATS, dtypes, other_dtypes
from kernelbenchx.spec.families.binary import traffic
from kernelbenchx.spec.families.binary_variant import binary_variant
from kernelbenchx.tasks.math.bitwise_and import all_bits

Shape = tuple[int, ...]
EDGES = (0.0, -0.0, -0.5, -1.0, 0.996, -0.996, 1.0, -128.0, -128.5, 127.5)


def signbit_bitwise_and(
    input: torch.Tensor, other: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.signbit(input), input.to(torch.int8) & other.to(torch.int8)


def inputs(
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    other: Shape | None = None,
    other_dtype: torch.dtype = torch.int8,
    layout: str = "contiguous",
    other_layout: str = "contiguous",
) -> Call:
    # 127.5 is the last number of bfloat16 below 128.
    floats = draw.uniform(shape, torch.float32, -129.0, 128.0).clamp(-128.5, 127.5)
    x = draw.plant(floats, EDGES).to(dtype)
    if not dtype.is_floating_point:
        x = all_bits(draw, shape, dtype)
    y = all_bits(draw, shape if other is None else other, other_dtype)
    return call(draw.laid_out(x, layout), draw.laid_out(y, other_layout))


def cost(
    shape: Shape, dtype: torch.dtype, other: Any = None, other_dtype: Any = torch.int8, **_: Any
) -> Cost:
    count, read = traffic(shape, dtype, other, other_dtype)
    return Cost(flops=2 * count, bytes=read + count + math.prod(shape))


def _replace_step(sign=torch.signbit, step=lambda x: x, both=torch.bitwise_and):
    """One of the steps is another."""

    def answer(input, other):
        return sign(input), both(step(input).to(torch.int8), other.to(torch.int8))

    return answer


def _stretched_signs(input, other):
    return signbit_bitwise_and(torch.broadcast_tensors(input, other)[0].clone(), other)


def _first_block(input, other):
    results = signbit_bitwise_and(input, other)
    return tuple(x * (torch.arange(x.numel()).view(x.shape) < 1024) for x in results)


_FAMILY = binary(
    cast(Any, signbit_bitwise_and),
    pairs={},
    integers=(all_bits, all_bits),
    cost=cost,
    contract=Exact(),
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.bfloat16, other_dtype=torch.bool)
    + case(shape=(4099, 5003), dtype=torch.float32, other=(5003,)),
    mutants=(
        Mutant("sign by comparison with 0", _replace_step(sign=lambda x: x < 0)),
        Mutant("signs of the broadcast shape", _stretched_signs),
        Mutant("floored", _replace_step(step=torch.floor)),
        Mutant("rounded to nearest", _replace_step(step=torch.round)),
        Mutant("or", _replace_step(both=torch.bitwise_or)),
        Mutant("other taken for a bool", _replace_step(both=lambda x, y: x & (y != 0))),
        Mutant("only the first 1024 elements", _first_block, ("W-BLOCK",)),
        Mutant("always 0", _replace_step(torch.isnan, torch.zeros_like), ("B-PERFD",)),
    ),
    difficulty=1,
    audit=("B-PERFD", "W-BLOCK"),
)
TASK = binary_variant(
    _FAMILY,
    inputs=inputs,
    axes=(
        dtypes(FLOATS, (torch.int8, torch.int32)),
        other_dtypes("other_dtype", (torch.bool, torch.int32)),
    ),
    corners=(
        *({"dtype": word} for word in ("float32", "float16", "bfloat16", "int8", "int32")),
        *({"other_dtype": "bool"}, {"dtype": "float16", "other_dtype": "int32"}),
        {"shape": "matrix", "other": "column", "layout": "transposed"},
        {"shape": "gap", "other": "stretches both"},
        *({"shape": "0-d"}, {"shape": "empty"}),
    ),
    dropped=("Dtypes promote",),
    numbers=False,
    dtypes=(*FLOATS, torch.int8, torch.int32),
)
