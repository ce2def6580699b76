"""Maps every row of the last dimension to [0, 1]: (x - min) / (max - min), with min and max of the row.

A row whose elements are all equal gives zeros. Inputs are finite and have one dimension or more;
the last one may have any size, also 0. The result has the shape and dtype of x. 16-bit inputs are
computed in float32 and rounded once.
"""  # noqa: E501

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)


def unit_range(x: torch.Tensor) -> torch.Tensor:
    if x.numel() == 0:
        return torch.empty_like(x)
    values = x if x.dtype == torch.float64 else x.float()
    low, high = values.amin(-1, keepdim=True), values.amax(-1, keepdim=True)
    return ((values - low) / torch.where(high == low, 1.0, high - low)).to(x.dtype)


def exact(x: torch.Tensor) -> torch.Tensor:
    return unit_range(x.double())


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    layout: str = "contiguous",
    size: float = 1.0,
    shift: float = 0.0,
) -> Call:
    return call(draw.laid_out(draw.normal(shape, dtype, size) + shift, layout))


def cost(shape: tuple[int, ...], dtype: torch.dtype, **_: object) -> Cost:
    count = math.prod(shape)
    return Cost(flops=4 * count, bytes=2 * count * dtype.itemsize)


TASK = Task(
    reference=unit_range,
    inputs=inputs,
    cost=cost,
    contract=Close(),
    checks=grid(shape=((7, 129),), dtype=FLOATS)
    + grid(shape=((3, 5, 33),), dtype=FLOATS, layout=("transposed", "strided"))
    + case(shape=(13, 4500), dtype=torch.float32, shift=9.0)  # longer than a block, far from 0
    + case(shape=(9,), dtype=torch.float32, size=0.0)  # equal elements
    + case(shape=(4, 0), dtype=torch.float32)
    + case(shape=(0, 4), dtype=torch.float32),
    timings=grid(shape=((8192, 8192),), dtype=FLOATS),
    mutants=(),
    dtypes=FLOATS,
    difficulty=2,
    truth=exact,
)
