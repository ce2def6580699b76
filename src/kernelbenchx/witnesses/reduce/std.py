import math

import torch
import triton
import triton.language as tl

Dim = int | tuple[int, ...] | None


def _reduced(x: torch.Tensor, dim: Dim) -> list[int]:
    """Which dimensions are reduced, in their order."""
    every = list(range(x.dim()))
    asked = every if dim is None else (dim,) if isinstance(dim, int) else dim
    return [d for d in every if d in asked or d - x.dim() in asked]


@triton.jit
def _total(
    y, x, sums, count, outer, n, inner, chunks,
    CENTRED: tl.constexpr, CHUNK: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):  # fmt: skip
    """From x[outer, n, inner] to y[chunks, outer, inner]: a chunk of n, `COLUMNS` of inner.

    `CENTRED`: the sum of squared deviations from sums[outer, inner] / count.
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
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    if CENTRED:
        mean = tl.load(sums + before * inner + column, mask=column < inner, other=0.0) / count
    # Rows that lie apart are fetched ahead: left to itself, the compiler waits for each of them.
    for offset in tl.range(0, CHUNK, ROWS, num_stages=1 if COLUMNS == 1 else 4):
        at = start + offset + row
        mask = (at < n)[:, None] & (column < inner)[None, :]
        v = tl.load(source + places, mask=mask, other=0.0).to(tl.float32)
        if CENTRED:
            v = tl.where(mask, v - mean[None, :], 0.0)
            v = v * v
        total += v
        source += step
    place = (chunk * outer + before) * inner + column
    tl.store(y + place, tl.sum(total, axis=0), mask=column < inner)


@triton.jit
def _root(y, squares, rows, freedom, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < rows
    variance = tl.load(squares + at, mask=mask, other=0.0) / freedom
    tl.store(y + at, tl.sqrt(variance).to(y.dtype.element_ty), mask=mask)


def _totals(
    x: torch.Tensor, sums: torch.Tensor | None, outer: int, n: int, inner: int
) -> torch.Tensor:
    """Sums over n in float32, in as many passes as the chunks need."""
    chunks, count, rows = 0, float(n), outer * inner
    while chunks != 1:
        columns = min(triton.next_power_of_2(inner), 128)
        # Wide chunks have 128 rows: with fewer, the partial sums would be a load of their own.
        chunk = min(triton.next_power_of_2(max(n, 1)), max(4096 // columns, 128))
        chunks = max(triton.cdiv(n, chunk), 1)
        y = torch.empty(chunks * rows, dtype=torch.float32, device=x.device)
        words = {"CENTRED": sums is not None, "CHUNK": chunk, "COLUMNS": columns}
        words["ROWS"] = min(chunk, 1024 // columns)
        programs = outer * chunks * triton.cdiv(inner, columns)
        given = y if sums is None else sums
        _total[(programs,)](y, x, given, count, outer, n, inner, chunks, **words)
        x, sums, outer, n, inner = y, None, 1, chunks, rows
    return x


def std(
    input: torch.Tensor,
    dim: Dim = None,
    correction: int = 1,
    keepdim: bool = False,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    reduced = _reduced(input, dim)
    kept = [d for d in range(input.dim()) if d not in reduced]
    first = min(reduced, default=0)
    parts = kept[:first], reduced, kept[first:]  # nothing is copied where they stand like this
    outer, n, inner = (math.prod(input.shape[d] for d in part) for part in parts)
    x = input.permute([d for part in parts for d in part]).contiguous()
    sizes = [1 if d in reduced else size for d, size in enumerate(input.shape)]
    shape = sizes if keepdim else [sizes[d] for d in kept]
    y = torch.empty(shape, dtype=input.dtype, device=input.device)
    if rows := outer * inner:
        squares = _totals(x, _totals(x, None, outer, n, inner), outer, n, inner)
        freedom = float(max(0, n - correction))
        _root[(triton.cdiv(rows, 256),)](y, squares, rows, freedom, BLOCK=256)
    return y if out is None else out.copy_(y)
