import math

import torch
import triton
import triton.language as tl

Dim = int | tuple[int, ...] | None


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


def sum(
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
