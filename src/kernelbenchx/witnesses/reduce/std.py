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
def _merged(mean, square, count):
    """Mean and squared deviations of groups together (Chan), along dimension 0.

    Taken about a mean of theirs, so that equal ones are exactly no deviation.
    """
    near = tl.max(tl.where(count > 0.0, mean, -1e38), axis=0)
    apart = tl.where(count > 0.0, mean - near[None, :], 0.0)
    off = tl.sum(apart * count, axis=0) / tl.maximum(tl.sum(count, axis=0), 1.0)
    apart -= off[None, :]
    return near + off, tl.sum(square + apart * apart * count, axis=0)


@triton.jit
def _moments(
    y, means, squares, x, freedom, outer, n, inner, chunks,
    ALONE: tl.constexpr, CHUNK: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):  # fmt: skip
    """From x[outer, n, inner] to means and squares[chunks, outer, inner], in one pass (Welford).

    Lanes of a full tile have seen as many values, so that one number divides for all of them.
    `ALONE`: there is one chunk, and the answer goes to y.
    """
    blocks = tl.cdiv(inner, COLUMNS)
    piece = tl.program_id(0) // blocks
    before, chunk = (piece // chunks).to(tl.int64), (piece % chunks).to(tl.int64)
    start = chunk * CHUNK
    left = tl.minimum(n - start, CHUNK).to(tl.int32)
    row = tl.arange(0, ROWS)
    column = (tl.program_id(0) % blocks).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    source = x + (before * n + start) * inner
    places = row[:, None].to(tl.int64) * inner + column[None, :]
    step = tl.full((), ROWS, tl.int64) * inner
    mean = tl.zeros((ROWS, COLUMNS), tl.float32)
    square = tl.zeros((ROWS, COLUMNS), tl.float32)
    # Rows that lie apart are fetched ahead: left to itself, the compiler waits for each of them.
    for offset in tl.range(0, CHUNK, ROWS, num_stages=1 if COLUMNS == 1 else 4):
        mask = (offset + row < left)[:, None] & (column < inner)[None, :]
        v = tl.load(source + places, mask=mask, other=0.0).to(tl.float32)
        d = tl.where(mask, v - mean, 0.0)
        mean += d * (1.0 / (offset // ROWS + 1))
        square += d * (v - mean)
        source += step
    count = tl.maximum(left - row + ROWS - 1, 0) // ROWS
    middle, total = _merged(mean, square, count.to(tl.float32)[:, None])
    place = (chunk * outer + before) * inner + column
    if ALONE:
        root = tl.sqrt(total / freedom)
        tl.store(y + place, root.to(y.dtype.element_ty), mask=column < inner)
    else:
        tl.store(means + place, middle, mask=column < inner)
        tl.store(squares + place, total, mask=column < inner)


@triton.jit
def _root(
    y, means, squares, freedom, rows, n, chunks,
    CHUNK: tl.constexpr, CHUNKS: tl.constexpr, COLUMNS: tl.constexpr
):  # fmt: skip
    """The answer from all chunks of some rows."""
    at = tl.program_id(0).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    k = tl.arange(0, CHUNKS).to(tl.int64)[:, None]
    mask = (k < chunks) & (at < rows)[None, :]
    mean = tl.load(means + k * rows + at[None, :], mask=mask, other=0.0)
    square = tl.load(squares + k * rows + at[None, :], mask=mask, other=0.0)
    count = tl.minimum(tl.maximum(n - k * CHUNK, 0), CHUNK).to(tl.float32)
    _, total = _merged(mean, square, count)
    tl.store(y + at, tl.sqrt(total / freedom).to(y.dtype.element_ty), mask=at < rows)


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
        freedom = float(max(0, n - correction))
        columns = min(triton.next_power_of_2(inner), 128)
        # Longer ones where there are many, so that one block can hold what they leave.
        chunk = max(16384 // columns, 128, triton.next_power_of_2(triton.cdiv(n, 4096)))
        chunk = min(triton.next_power_of_2(max(n, 1)), chunk)
        chunks = max(triton.cdiv(n, chunk), 1)
        means = torch.empty(chunks * rows, dtype=torch.float32, device=x.device)
        squares = torch.empty_like(means)
        tile = min(chunk, (4096 if columns == 1 else 1024) // columns)
        programs, warps = outer * chunks * triton.cdiv(inner, columns), 8 if columns == 1 else 4
        _moments[(programs,)](
            y, means, squares, x, freedom, outer, n, inner, chunks,
            ALONE=chunks == 1, CHUNK=chunk, ROWS=tile, COLUMNS=columns, num_warps=warps
        )  # fmt: skip
        if chunks > 1:
            block = triton.next_power_of_2(chunks)
            wide = min(triton.next_power_of_2(rows), max(2048 // block, 1))
            _root[(triton.cdiv(rows, wide),)](
                y, means, squares, freedom, rows, n, chunks,
                CHUNK=chunk, CHUNKS=block, COLUMNS=wide
            )  # fmt: skip
    return y if out is None else out.copy_(y)
