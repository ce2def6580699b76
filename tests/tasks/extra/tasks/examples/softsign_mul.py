"""x / (1 + |x|) * y, elementwise, for two tensors of one shape and dtype.

Any shape, also empty and 0-d, any strides; the result has the shape and dtype of x.
16-bit inputs are computed in float32 and rounded once.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)


def softsign_mul(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x / (1 + x.abs()) * y


def exact(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return softsign_mul(x.double(), y.double())


def inputs(
    draw: Draw, shape: tuple[int, ...], dtype: torch.dtype, layout: str = "contiguous"
) -> Call:
    return call(*(draw.laid_out(draw.normal(shape, dtype), layout) for _ in range(2)))


def cost(shape: tuple[int, ...], dtype: torch.dtype, **_: object) -> Cost:
    count = math.prod(shape)
    return Cost(flops=4 * count, bytes=3 * count * dtype.itemsize)


TASK = Task(
    reference=softsign_mul,
    inputs=inputs,
    cost=cost,
    contract=Close(),
    checks=grid(shape=((3001,),), dtype=FLOATS)
    + grid(shape=((31, 37),), dtype=FLOATS, layout=("transposed", "strided"))
    + case(shape=(), dtype=torch.float32)
    + case(shape=(0, 5), dtype=torch.float32),
    timings=grid(shape=((1 << 26,),), dtype=FLOATS),
    mutants=(),
    dtypes=FLOATS,
    difficulty=1,
    truth=exact,
)
