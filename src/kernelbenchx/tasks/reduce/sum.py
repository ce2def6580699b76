"""Sum over one, several or all dimensions.

`dim` is an int (may be negative), a tuple of ints, or None for all dimensions. The reduced
dimensions are dropped, or kept with size 1 when keepdim=True. Without `dtype`, float inputs keep
their dtype, and integers and bool give int64. With `dtype` every element is cast to it first
(floats to integers toward zero) and the result has that dtype. 16-bit values are added in float32
and the sum is rounded once; float64 sums are added in float64, integer sums are exact. The sum of
nothing is 0. Any shape, also empty and 0-d, any strides.
"""

import math
from typing import Any

import torch
import triton
import triton.language as tl

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.shapes import reduced_count

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
Dim = int | tuple[int, ...] | None


def sum(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    return torch.sum(input, dim, keepdim, dtype=dtype)


def exact(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """Integers as they are, all else in float64 after the cast."""
    terms = _cast(input, dtype)
    return torch.sum(terms.double() if terms.is_floating_point() else terms, dim, keepdim)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dim: Dim,
    dtype: torch.dtype,
    keepdim: bool | None = None,
    to: torch.dtype | None = None,
    layout: str = "contiguous",
    mean: float = 0.0,
    planted: tuple[float, ...] = (300.0, -300.0),
) -> Call:
    if dtype == torch.bool:
        x = draw.booleans(shape)
    elif not dtype.is_floating_point:
        reach = 2**30 if dtype == torch.int32 else 2**50
        x = draw.integers(shape, -reach, reach, dtype)
    else:
        x = draw.planted((draw.normal(shape, torch.float32) + mean).to(dtype), planted)
    words: dict[str, Any] = {} if keepdim is None else {"keepdim": keepdim}
    if to is not None:
        words["dtype"] = to
    return call(draw.laid_out(x, layout), dim, **words)


def cost(
    shape: tuple[int, ...], dim: Dim, dtype: torch.dtype, to: torch.dtype | None = None, **_
) -> Cost:
    count = math.prod(shape)
    into = to or (dtype if dtype.is_floating_point else torch.int64)
    written = reduced_count(shape, dim) * into.itemsize
    return Cost(flops=count, bytes=count * dtype.itemsize + written)


def local(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """Partial sums are as large as the sum or an outlier; n roundings add up to sqrt(n) of them."""
    terms = _cast(input, dtype).double()
    total = torch.sum(terms, dim, keepdim)
    if not terms.numel():
        return total
    size = terms.abs()
    largest = size.amax(tuple(range(size.dim())) if dim is None else dim, keepdim)
    count = terms.numel() // total.numel()
    return torch.sum(size, dim, keepdim) + math.sqrt(count) * (total.abs() + largest)


def _cast(x: torch.Tensor, dtype: torch.dtype | None) -> torch.Tensor:
    return x.to(dtype or (x.dtype if x.dtype.is_floating_point else torch.int64))


def _reduced(x: torch.Tensor, dim: Dim) -> list[int]:
    """Which dimensions are reduced, in their order."""
    every = list(range(x.dim()))
    asked = every if dim is None else (dim,) if isinstance(dim, int) else dim
    return [d for d in every if d in asked or d - x.dim() in asked]


@triton.jit
def _sum(
    y, x, outer, n, inner, chunks,
    COMPUTE: tl.constexpr, CHUNK: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):  # fmt: skip
    """From x[outer, n, inner] to y[chunks, outer, inner]: a chunk of n, `COLUMNS` of inner."""
    blocks = tl.cdiv(inner, COLUMNS)
    piece = tl.program_id(0) // blocks
    before, chunk = (piece // chunks).to(tl.int64), (piece % chunks).to(tl.int64)
    start = chunk * CHUNK
    row = tl.arange(0, ROWS).to(tl.int64)
    column = (tl.program_id(0) % blocks).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    source = x + (before * n + start) * inner
    places = row[:, None] * inner + column[None, :]
    step = tl.full((), ROWS, tl.int64) * inner
    sums = tl.zeros((ROWS, COLUMNS), COMPUTE)
    # Rows that lie apart are fetched ahead: left to itself, the compiler waits for each of them.
    for offset in tl.range(0, CHUNK, ROWS, num_stages=1 if COLUMNS == 1 else 4):
        at = start + offset + row
        mask = (at < n)[:, None] & (column < inner)[None, :]
        sums += tl.load(source + places, mask=mask, other=0).to(COMPUTE)
        source += step
    total = tl.sum(sums, axis=0).to(y.dtype.element_ty)
    tl.store(y + (chunk * outer + before) * inner + column, total, mask=column < inner)


def witness(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    x, reduced = _cast(input, dtype), _reduced(input, dim)
    kept = [d for d in range(x.dim()) if d not in reduced]
    first = min(reduced, default=0)
    parts = kept[:first], reduced, kept[first:]  # nothing is copied where they stand like this
    outer, n, inner = (math.prod(x.shape[d] for d in part) for part in parts)
    x, result = x.permute([d for part in parts for d in part]).contiguous(), x.dtype
    narrow = result in (torch.float16, torch.bfloat16)
    between = torch.float32 if narrow else result
    compute = {torch.int32: tl.int32, torch.int64: tl.int64, torch.float64: tl.float64}
    rows = outer * inner
    while rows:
        columns = min(triton.next_power_of_2(inner), 128)
        # Wide chunks have 128 rows: with fewer, the partial sums would be a load of their own.
        chunk = min(triton.next_power_of_2(max(n, 1)), max(4096 // columns, 128))
        chunks = max(triton.cdiv(n, chunk), 1)
        y = torch.empty(chunks * rows, dtype=result if chunks == 1 else between, device=x.device)
        words = {"COMPUTE": compute.get(between, tl.float32), "CHUNK": chunk, "COLUMNS": columns}
        programs = outer * chunks * triton.cdiv(inner, columns)
        _sum[(programs,)](y, x, outer, n, inner, chunks, ROWS=min(chunk, 1024 // columns), **words)
        x, outer, n, inner = y, 1, chunks, rows
        if chunks == 1:
            break
    if not rows:
        x = torch.empty(0, dtype=result, device=input.device)
    sizes = [1 if d in reduced else size for d, size in enumerate(input.shape)]
    return x.view(sizes if keepdim else [sizes[d] for d in kept])


def _narrow_accumulator(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """Term after term in the result's own dtype."""
    x, reduced = _cast(input, dtype), _reduced(input, dim)
    shape = sum(input, dim, keepdim).shape
    last = x.movedim(reduced, list(range(-len(reduced), 0)))
    terms = last.flatten(x.dim() - len(reduced)) if reduced else x.unsqueeze(-1)
    total = torch.zeros(terms.shape[:-1], dtype=x.dtype)
    for term in terms.unbind(-1):
        total = total + term
    return total.view(shape)


def _cast_last(x: torch.Tensor, dim: Dim, keepdim: bool = False, **words: Any) -> torch.Tensor:
    return sum(x, dim, keepdim).to(words.get("dtype") or sum(x, dim).dtype)


def _one_dimension(x: torch.Tensor, dim: Dim, *rest: Any, **words: Any) -> torch.Tensor:
    """Only the first of several dimensions, the others by their first element."""
    whole = sum(x, dim, *rest, **words)
    if not isinstance(dim, tuple) or len(dim) < 2:
        return whole
    part = sum(x, dim[0], True, words.get("dtype"))
    for other in dim[1:]:
        part = part.narrow(other, 0, 1)
    return part.reshape(whole.shape).clone()


TASK = Task(
    reference=sum,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=local),
    checks=grid(shape=((9001,),), dim=(0,), dtype=FLOATS, mean=(0.5,))  # several chunks, a tail
    + case(shape=(9001,), dim=0, dtype=torch.float32)
    + grid(shape=((3, 2500),), dim=(-1,), dtype=FLOATS)
    + case(shape=(7, 13), dim=-1, dtype=torch.float16, planted=(math.inf, -math.inf, math.nan))
    + grid(shape=((1300, 3),), dim=(0,), dtype=FLOATS, keepdim=(True,))
    + case(shape=(4, 5, 6, 7), dim=(1, 3), dtype=torch.float32)
    + case(shape=(4, 5, 6, 7), dim=(-1, 0), dtype=torch.float32, keepdim=True, layout="strided")
    + case(shape=(17, 129), dim=None, dtype=torch.float32, layout="transposed")
    + case(shape=(3, 5, 7), dim=None, dtype=torch.int64, keepdim=True)
    + case(shape=(6, 1100), dim=1, dtype=torch.int32)
    + case(shape=(6, 1100), dim=1, dtype=torch.bool)
    + case(shape=(5, 1100), dim=1, dtype=torch.float32, to=torch.float64)
    + case(shape=(5, 1100), dim=1, dtype=torch.float32, to=torch.int64)
    + case(shape=(5, 1100), dim=1, dtype=torch.float16, to=torch.float32)
    + case(shape=(5, 1100), dim=1, dtype=torch.int64, to=torch.float32)
    + case(shape=(), dim=0, dtype=torch.float32)
    + case(shape=(0, 5), dim=0, dtype=torch.float32)
    + case(shape=(0, 5), dim=1, dtype=torch.float16),
    timings=case(shape=(1 << 26,), dim=0, dtype=torch.float32, mean=0.5)
    + case(shape=(8192, 8192), dim=1, dtype=torch.bfloat16)
    + case(shape=(8192, 4096), dim=0, dtype=torch.float32),
    witness=witness,
    mutants=(
        Mutant("always the last dimension", lambda x, _, **rest: sum(x, -1, **rest), ("dim",)),
        Mutant("one of several dimensions", _one_dimension, ("dim",)),
        Mutant(
            "keepdim ignored",
            lambda x, dim, dtype=None, **_: sum(x, dim, dtype=dtype),
            ("keepdim",),
        ),
        Mutant("cast after the sum", _cast_last, ("dtype",)),
        Mutant("accumulated in the result's dtype", _narrow_accumulator),
        Patch(
            "rounded to half between the blocks",
            "other=0).to(COMPUTE)",
            "other=0).to(tl.float16).to(COMPUTE)",
        ),
        Patch("contiguity assumed", "]).contiguous(), x.dtype", "]), x.dtype", ("input",)),
        Patch("first chunk only", "start = chunk * CHUNK", "start = 0 * CHUNK"),
        Patch("first block of a chunk only", "range(0, CHUNK, ROWS,", "range(0, ROWS, ROWS,"),
        Patch("last element left out", "(at < n)", "(at < n - 1)"),
    ),
    dtypes=FLOATS,
    difficulty=2,
    truth=exact,
)
