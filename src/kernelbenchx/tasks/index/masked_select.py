"""The elements of input whose mask is True, as a 1-D tensor.

input (any dtype) and mask (bool) are broadcast against each other; the selected elements stand in
row-major order of the common shape. The length of the result is the number of True in the broadcast
mask: it depends on the data, and is 0 (shape (0,)) if there is none. Values are moved, bit for bit,
into new memory of the dtype of input. Both arguments may be 0-d, empty or non-contiguous.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Cost, Draw, Exact, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.shapes import broadcast

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
Shape = tuple[int, ...]


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.masked_select(input, mask)


def inputs(
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    rate: float,
    mask: Shape | None = None,
    layout: str = "contiguous",
) -> Call:
    odd = (0.0, -0.0, float("inf"), float("-inf"), float("nan"))
    x = draw.planted(draw.normal(shape, dtype), odd)
    where = shape if mask is None else mask
    # Exactly this many, so that the bytes that move are known; where they stand is random.
    chosen = draw.chosen(math.prod(where), _selected(where, rate))
    return call(draw.laid_out(x, layout), draw.laid_out(chosen.reshape(where), layout))


def _selected(shape: Shape, rate: float) -> int:
    return round(rate * math.prod(shape))


def cost(
    shape: Shape, dtype: torch.dtype, rate: float, mask: Shape | None = None, **_: Any
) -> Cost:
    where = shape if mask is None else mask
    common = math.prod(broadcast(shape, where))
    copies = common // max(math.prod(where), 1)
    moved = math.prod(shape) + copies * _selected(where, rate)
    return Cost(flops=common, bytes=moved * dtype.itemsize + math.prod(where))


def _backwards(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.masked_select(input, mask).flip(0)


def _column_major(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    x, chosen = torch.broadcast_tensors(input, mask)
    backwards = tuple(range(x.dim()))[::-1]
    return torch.masked_select(x.permute(backwards), chosen.permute(backwards))


def _zeros_between(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """As long as the input: what is not selected becomes 0."""
    x, chosen = torch.broadcast_tensors(input, mask)
    return torch.where(chosen, x, 0.0).flatten()


def _inverted(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.masked_select(input, ~mask)


def _no_broadcast(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Lays the mask over the first elements."""
    count = min(input.numel(), mask.numel())
    return input.flatten()[:count][mask.flatten()[:count]]


def _by_memory(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Reads both as if they were contiguous."""
    if input.shape != mask.shape or input.is_contiguous():
        return torch.masked_select(input, mask)
    dense = torch.as_strided(input, (input.numel(),), (1,))
    return dense[torch.as_strided(mask, (mask.numel(),), (1,))]


TASK = Task(
    reference=masked_select,
    inputs=inputs,
    cost=cost,
    contract=Exact(signed_zero=True),
    checks=(
        # Five blocks, the last with a tail.
        grid(shape=((4703,),), dtype=FLOATS, rate=(0.5,))
        + grid(shape=((53, 41),), dtype=(torch.float32,), rate=(0.0, 0.03, 0.97, 1.0))
        + case(shape=(7, 9, 31), dtype=torch.bfloat16, rate=0.4, mask=(9, 1))
        + case(shape=(5, 1, 13), dtype=torch.float32, rate=0.6, mask=(1, 17, 1))
        + case(shape=(23,), dtype=torch.float16, rate=0.3, mask=(40, 23))
        + case(shape=(), dtype=torch.float32, rate=0.5, mask=(60,))
        + case(shape=(8, 150), dtype=torch.float32, rate=1.0, mask=())
        + grid(
            shape=((39, 60),),
            dtype=(torch.float32,),
            rate=(0.45,),
            layout=("transposed", "strided"),
        )
        + case(shape=(1,), dtype=torch.float32, rate=1.0)
        + case(shape=(), dtype=torch.float32, rate=1.0)
        + case(shape=(3, 0), dtype=torch.float32, rate=0.5)
        + case(shape=(2048,), dtype=torch.float32, rate=0.5)
    ),
    timings=(
        # Large: the length of the result is read on the host, and the card waits for that.
        grid(shape=((2**28,),), dtype=(torch.bfloat16,), rate=(0.25, 0.9))
        + case(shape=(8192, 16384), dtype=torch.float32, rate=0.5)
    ),
    mutants=(
        Mutant("backwards", _backwards, ("input",)),
        Mutant("column-major", _column_major, ("input", "mask")),
        Mutant("zeros between", _zeros_between, ("mask",)),
        Mutant("mask inverted", _inverted, ("mask",)),
        Mutant("mask not broadcast", _no_broadcast, ("mask",)),
        Mutant("strides ignored", _by_memory, ("input",)),
        Patch(
            "one place too far", "tl.cumsum(chosen, axis=0) - chosen", "tl.cumsum(chosen, axis=0)"
        ),
        Patch(
            "every block at the front",
            "place = tl.load(starts + tl.program_id(0)) +",
            "place = tl.load(starts) +",
        ),
        Patch("blocks counted as full", "tl.sum(here, axis=0)\n", "1024\n", ("mask",)),
        Patch(
            "stops at the last full block",
            "blocks = triton.cdiv(n, 1024)",
            "blocks = max(n // 1024, min(n, 1))",
        ),
    ),
    data_movement=True,
    dtypes=FLOATS,
    difficulty=4,
)
