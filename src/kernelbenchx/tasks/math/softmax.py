"""Softmax along one dimension: exp(x - max) / sum(exp(x - max)) over every slice along `dim`.

The maximum of the slice is subtracted first, so large inputs do not overflow. `dim` may be
negative. With `dtype` the input is cast to it first (rounding its values) and the result has that
dtype; without it the result has the input's dtype. Input: float16, bfloat16 or float32, or integers
where `dtype` is given; `dtype` may be float16, bfloat16, float32 or float64. 16-bit values are
computed in float32 and rounded once; float64 results are computed in float64. Any shape, also
empty and 0-d, any strides. -inf gives 0; a slice that is -inf throughout, or that holds NaN or
+inf, gives NaN throughout.
"""

import math

import torch
import triton
import triton.language as tl

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)


def softmax(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    return torch.nn.functional.softmax(input, dim, dtype=dtype)


def exact(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    """In float64, of the values that the cast leaves."""
    return softmax((input if dtype is None else input.to(dtype)).double(), dim)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dim: int,
    dtype: torch.dtype,
    to: torch.dtype | None = None,
    layout: str = "contiguous",
    size: float = 1.0,
    edges: bool = False,
) -> Call:
    if not dtype.is_floating_point:
        return call(draw.integers(shape, -9, 9, dtype), dim, dtype=to)
    x = draw.normal(shape, dtype, size)
    if edges:
        _plant(x.movedim(dim, -1))
    x = draw.laid_out(x, layout)
    return call(x, dim) if to is None else call(x, dim, dtype=to)


def _plant(rows: torch.Tensor) -> None:
    """Slices that a kernel must get right by thought rather than by luck; needs six of them."""
    rows[0] = -math.inf
    rows[1, 0] = math.nan
    rows[2, -1] = math.inf
    rows[3] += 1000.0
    rows[4] -= 1000.0
    rows[5, ::2] = -math.inf


def cost(
    shape: tuple[int, ...], dim: int, dtype: torch.dtype, to: torch.dtype | None = None, **_
) -> Cost:
    count = math.prod(shape)
    return Cost(flops=5 * count, bytes=count * (dtype.itemsize + (to or dtype).itemsize))


def local(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    """A rounded x - max moves exp by its own size; the sum of n terms drifts by sqrt(n)."""
    x = (input if dtype is None else input.to(dtype)).double()
    if not x.numel():
        return x
    value = softmax(x, dim)
    away = torch.nan_to_num(x.amax(dim, keepdim=True) - x, nan=0.0, posinf=0.0, neginf=0.0)
    terms = x.shape[dim] if x.dim() else 1
    return value * (away + (value * away).sum(dim, keepdim=True) + math.sqrt(terms))


@triton.jit
def _softmax(
    y, x, n, inner,
    LOWEST: tl.constexpr, COMPUTE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):  # fmt: skip
    """A block of columns of (outer, n, inner): a pass for maximum and total, one that writes."""
    blocks = tl.cdiv(inner, COLUMNS)
    first = (tl.program_id(0) // blocks).to(tl.int64) * n
    column = tl.program_id(0) % blocks * COLUMNS + tl.arange(0, COLUMNS)
    row = tl.arange(0, ROWS)
    # The lowest finite number, not -inf: -inf minus -inf would be NaN.
    top = tl.full((ROWS, COLUMNS), LOWEST, COMPUTE)
    sums = tl.zeros((ROWS, COLUMNS), COMPUTE)
    # Stages: the next tiles are on their way while one is computed. Writing does without: it would
    # have to keep the places of all of them, and for so many registers there are fewer threads.
    for start in tl.range(0, n, ROWS, num_stages=4):
        at = start + row
        place = (first + at)[:, None] * inner + column[None, :]
        mask = (at < n)[:, None] & (column < inner)[None, :]
        v = tl.load(x + place, mask=mask, other=float("-inf")).to(COMPUTE)
        # Of v and the maximum so far the smaller is scaled to the larger: one exp does.
        less = tl.exp(-tl.abs(v - top))
        sums = tl.where(v > top, sums * less + 1.0, sums + less)
        top = tl.maximum(top, v)
    peak = tl.max(top, axis=0)
    total = tl.sum(sums * tl.exp(top - peak[None, :]), axis=0)
    for start in range(0, n, ROWS):
        at = start + row
        place = (first + at)[:, None] * inner + column[None, :]
        mask = (at < n)[:, None] & (column < inner)[None, :]
        v = tl.load(x + place, mask=mask, other=0.0).to(COMPUTE)
        share = tl.exp(v - peak[None, :]) / total[None, :]
        tl.store(y + place, share.to(y.dtype.element_ty), mask=mask)


def witness(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    x = (input if dtype is None else input.to(dtype)).contiguous()
    y = torch.empty_like(x)
    shape = tuple(x.shape) or (1,)
    axis = dim % len(shape)
    outer, n, inner = math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])
    if x.numel():
        wide = x.dtype == torch.float64
        compute = tl.float64 if wide else tl.float32
        lowest = torch.finfo(torch.float64 if wide else torch.float32).min
        # Narrow blocks: of wide ones there would be fewer than a card has processors. Tiles that n
        # fills, with eight elements a thread: two loads of 16 bytes in float32, one in 16 bits.
        columns = min(triton.next_power_of_2(inner), 16)
        rows = min(triton.next_power_of_2(n // 2 + 1), 4096 // columns)
        words = {"ROWS": rows, "COLUMNS": columns, "num_warps": max(4, rows * columns // 256)}
        _softmax[(outer * triton.cdiv(inner, columns),)](
            y, x, n, inner, LOWEST=lowest, COMPUTE=compute, **words
        )
    return y


def _cast_last(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    return exact(input, dim).to(dtype or input.dtype)


def _rounded_total(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    """The sum of the exponentials kept in bfloat16."""
    if not input.numel():
        return softmax(input, dim, dtype)
    x = (input if dtype is None else input.to(dtype)).double()
    terms = torch.exp(x - x.amax(dim, keepdim=True))
    return (terms / terms.sum(dim, keepdim=True).bfloat16()).to(dtype or input.dtype)


TASK = Task(
    reference=softmax,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=local),
    checks=grid(shape=((3, 2500),), dim=(1,), dtype=FLOATS, size=(1.0, 30.0))
    + grid(shape=((6, 67),), dim=(-1,), dtype=FLOATS, edges=(True,))
    + grid(shape=((1100, 6),), dim=(0,), dtype=FLOATS, layout=("contiguous",), edges=(True,))
    + case(shape=(3, 29, 2), dim=1, dtype=torch.float32, size=1e-3)
    + case(shape=(2, 3, 1024), dim=-1, dtype=torch.float32, layout="strided")
    + case(shape=(17, 9), dim=1, dtype=torch.bfloat16, layout="transposed")
    + case(shape=(3, 700), dim=1, dtype=torch.float32, to=torch.float64)
    + grid(shape=((3, 700),), dim=(1,), dtype=(torch.float32,), to=FLOATS[1:], size=(4.0,))
    + case(shape=(3, 700), dim=1, dtype=torch.float16, to=torch.float32)
    + case(shape=(4, 130), dim=1, dtype=torch.int64, to=torch.float32)
    + case(shape=(), dim=0, dtype=torch.float32)
    + case(shape=(5, 1), dim=-1, dtype=torch.float32)
    + case(shape=(0, 5), dim=1, dtype=torch.float32),
    timings=case(shape=(4096, 8192), dim=-1, dtype=torch.float32)
    + case(shape=(512, 131072), dim=1, dtype=torch.bfloat16)
    + case(shape=(4096, 4096), dim=0, dtype=torch.float16),
    witness=witness,
    mutants=(
        Mutant("always the last dimension", lambda x, *_, **rest: softmax(x, -1, **rest), ("dim",)),
        Mutant("cast at the end", _cast_last, ("dtype",)),
        Mutant("dtype ignored", lambda x, dim, **_: softmax(x, dim), ("dtype",)),
        Mutant("total in bfloat16", _rounded_total),
        Patch(
            "maximum not subtracted",
            "peak = tl.max(top, axis=0)",
            "peak = tl.zeros((COLUMNS,), COMPUTE)",
        ),
        Patch("total of the last block only", "sums * less + 1.0, sums + less", "1.0, less"),
        Patch("padding counted", 'other=float("-inf")', "other=0.0"),
        Patch(
            "maximum at least zero",
            "top = tl.full((ROWS, COLUMNS), LOWEST, COMPUTE)",
            "top = tl.zeros((ROWS, COLUMNS), COMPUTE)",
        ),
        Patch("contiguity assumed", ".to(dtype)).contiguous()", ".to(dtype))", ("input",)),
        Patch(
            "only the first block written",
            "element_ty), mask=mask)",
            "element_ty), mask=mask & (at < ROWS)[:, None])",
        ),
    ),
    dtypes=FLOATS,
    difficulty=4,
    truth=exact,
)
