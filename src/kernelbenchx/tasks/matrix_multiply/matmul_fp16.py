"""Matrix product of two float16 tensors, accumulated in float32 and rounded once to float16.

Ranks as in numpy: 1-D by 1-D is a dot product (a 0-d result); a 1-D first operand is a row and a
1-D second operand a column, and the dimension added for it is dropped from the result; with more
than two dimensions the last two are matrices (..., M, K) by (..., K, N) and the leading ones
broadcast. Sizes may be 0; with K = 0 the result is zeros. NaN and infinities follow IEEE
arithmetic, and a result beyond the range of float16 is an infinity. The operands may have any
strides. Neither is changed.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.shapes import broadcast

Shape = tuple[int, ...]


def matmul_fp16(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return torch.matmul(input, other)


def inputs(
    draw: Draw,
    first: Shape,
    second: Shape,
    layout: str = "contiguous",
    scale: float = 1.0,
    planted: tuple[float, ...] = (),
) -> Call:
    x = draw.planted(draw.normal(first, torch.float16, scale), planted)
    y = draw.normal(second, torch.float16)
    return call(draw.laid_out(x, layout), draw.laid_out(y, layout))


def cost(first: Shape, second: Shape, **_: object) -> Cost:
    batch = broadcast(first[:-2], second[:-2])
    columns = second[-1] if len(second) > 1 else 1
    written = math.prod(batch) * math.prod(first[-2:-1]) * columns
    elements = math.prod(first) + math.prod(second) + written
    return Cost(flops=2 * first[-1] * written, bytes=2 * elements)


def scale_of(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The product of absolute values; rounding grows with the square root of the length at most."""
    growth = max(1.0, math.sqrt(input.shape[-1]) / 4)
    return growth * torch.matmul(input.abs(), other.abs())


def _in_half(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Adds one term after the other in float16."""
    matrix = other.unsqueeze(-1) if other.dim() == 1 else other
    total = torch.zeros_like(torch.matmul(input.float(), matrix.float()).half())
    for k in range(input.shape[-1]):
        row = input[..., k : k + 1]
        term = row * matrix[..., k, :] if input.dim() == 1 else row * matrix[..., k : k + 1, :]
        total = total + term
    return total.squeeze(-1) if other.dim() == 1 else total


def _other_transposed(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    square = other.dim() > 1 and other.shape[-1] == other.shape[-2]
    return torch.matmul(input, other.mT if square else other)


def _flushed(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Takes the subnormal results of float16 for zeros."""
    product = torch.matmul(input.float(), other.float()).half()
    return torch.where(product.abs() < 2.0**-14, 0.0, product)


TASK = Task(
    reference=matmul_fp16,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=scale_of),
    checks=(
        grid(first=((67, 129),), second=((129, 65),), layout=("contiguous", "transposed", "offset"))
        + grid(first=((5, 33), (2, 5, 33)), second=((33, 17),), layout=("strided",))
        + case(first=(17, 1025), second=(1025, 16))  # long sums: the accumulator's precision shows
        + case(first=(3, 33, 40), second=(40, 70))
        + case(first=(2, 1, 20, 31), second=(3, 31, 17))
        + grid(first=((31,),), second=((31, 66), (31,), (2, 31, 5)))
        + grid(first=((70, 31), (2, 9, 31)), second=((31,),))
        + grid(first=((64, 64),), second=((64, 64),), scale=(1.0, 1e-4, 2e3))
        + case(first=(40, 50), second=(50, 40), planted=(math.inf, -math.inf, math.nan, -0.0, 1e-7))
        + grid(first=((1, 1), (4, 1)), second=((1, 1),))
        + case(first=(0, 5), second=(5, 3))
        + case(first=(4, 0), second=(0, 3))
    ),
    timings=(
        grid(first=((4096, 4096),), second=((4096, 4096),))
        + case(first=(8192, 2048), second=(2048, 8192))
        + case(first=(16, 1024, 2048), second=(16, 2048, 1024))
    ),
    mutants=(
        Mutant("the sum is kept in float16", _in_half, ("input", "other")),
        Mutant("a square second operand is taken transposed", _other_transposed, ("other",)),
        Mutant("subnormal results are flushed to zero", _flushed),
        Patch(
            "the accumulator is rounded to float16 after each block",
            "acc = tl.dot(x, y, acc)",
            "acc = tl.dot(x, y, acc).to(tl.float16).to(tl.float32)",
        ),
        Patch("only the first block of k", "range(0, k, BK)", "range(0, BK, BK)", ("input",)),
        Patch(
            "rows of the second operand are taken for contiguous",
            "b + inner[:, None] * b_row",
            "b + inner[:, None] * n",
            ("other",),
        ),
        Patch("every batch entry uses the first matrix", "batch * b_batch", "0 * b_batch"),
        Patch(
            "the last row is not written",
            "rows[:, None] < m) & (cols[None, :] < n))",
            "rows[:, None] < m - 1) & (cols[None, :] < n))",
        ),
    ),
    dtypes=(torch.float16,),
    difficulty=2,
)
