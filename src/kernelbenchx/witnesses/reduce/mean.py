import math

import torch
import triton
import triton.language as tl

Dim = int | tuple[int, ...] | None


@triton.jit
def _mean(
    y, x, outer, n, inner, chunks, count,
    TERMS: tl.constexpr, COMPUTE: tl.constexpr, LAST: tl.constexpr,
    CHUNK: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):  # fmt: skip
    """From x[outer, n, inner] to y[chunks, outer, inner]: sums, or with `LAST` means of `count`.

    `TERMS`: what elements are cast to first.
    """
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
        mask = (start + offset + row < n)[:, None] & (column < inner)[None, :]
        v = tl.load(source + places, mask=mask, other=0)
        sums += v.to(TERMS).to(COMPUTE)
        source += step
    total = tl.sum(sums, axis=0)
    if LAST:
        total = total / count
    place = (chunk * outer + before) * inner + column
    tl.store(y + place, total.to(y.dtype.element_ty), mask=column < inner)


def mean(
    input: torch.Tensor,
    /,
    dim: Dim,
    keepdim: bool = False,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    every = list(range(input.dim()))
    asked = every if dim is None else (dim,) if isinstance(dim, int) else dim
    reduced = [d for d in every if d in asked or d - input.dim() in asked]
    kept = [d for d in every if d not in reduced]
    first = min(reduced, default=0)
    parts = kept[:first], reduced, kept[first:]  # nothing is copied where they stand like this
    outer, n, inner = (math.prod(input.shape[d] for d in part) for part in parts)
    x = input.permute([d for part in parts for d in part]).contiguous()
    sizes = [1 if d in reduced else size for d, size in enumerate(input.shape)]
    result, count, rows = dtype or x.dtype, n, outer * inner
    narrow = {torch.float16: tl.float16, torch.bfloat16: tl.bfloat16}
    wide, compute = torch.float32, tl.float32
    if result == torch.float64:
        wide, compute = torch.float64, tl.float64
    y, chunks, terms = x.new_empty(rows, dtype=result), 0, narrow.get(result, compute)
    while rows and chunks != 1:
        columns = min(triton.next_power_of_2(inner), 128)
        # Wide chunks have 128 rows: with fewer, the partial sums would be a load of their own.
        chunk = max(16384 if columns == 1 else 4096 // columns, 128)
        chunk = min(triton.next_power_of_2(max(n, 1)), chunk)
        chunks = max(triton.cdiv(n, chunk), 1)
        y = x.new_empty(chunks * rows, dtype=result if chunks == 1 else wide)
        tile = min(chunk, (2048 if columns == 1 else 1024) // columns)
        _mean[(outer * chunks * triton.cdiv(inner, columns),)](
            y, x, outer, n, inner, chunks, count,
            TERMS=terms, COMPUTE=compute, LAST=chunks == 1,
            CHUNK=chunk, ROWS=tile, COLUMNS=columns
        )  # fmt: skip
        x, outer, n, inner, terms = y, 1, chunks, rows, compute
    y = y.view(sizes if keepdim else [sizes[d] for d in kept])
    return y if out is None else out.copy_(y)
