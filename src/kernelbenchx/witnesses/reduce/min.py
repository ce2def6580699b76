import math

import torch
import triton
import triton.language as tl


@triton.jit
def _min(
    lows, places, x, known, n, inner, chunks,
    AGAIN: tl.constexpr, FLOAT: tl.constexpr,
    CHUNK: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):  # fmt: skip
    """One chunk of a block of columns of x[outer, n, inner].

    `AGAIN`: x holds what chunks gave, and `known` where that stood.
    """
    blocks = tl.cdiv(inner, COLUMNS)
    part = tl.program_id(0) // blocks
    column = (tl.program_id(0) % blocks).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    start = (part % chunks).to(tl.int64) * CHUNK
    first = (part // chunks).to(tl.int64) * n + start
    left = tl.minimum(n - start, CHUNK).to(tl.int32)
    COMPUTE: tl.constexpr = tl.float32 if FLOAT else tl.int64
    HIGHEST: tl.constexpr = float("inf") if FLOAT else 2**63 - 1
    low = tl.full((ROWS, COLUMNS), HIGHEST, COMPUTE)
    found = tl.zeros((ROWS, COLUMNS), tl.int32)
    row = tl.arange(0, ROWS)
    # Rows that lie apart are fetched ahead: left to itself, the compiler waits for each of them.
    for offset in tl.range(0, CHUNK, ROWS, num_stages=1 if COLUMNS == 1 else 3):
        at = offset + row
        source = x + (first + at)[:, None] * inner + column[None, :]
        mask = (at < left)[:, None] & (column < inner)[None, :]
        v = tl.load(source, mask=mask, other=0).to(COMPUTE)
        # Rows are read in order: of equals the first stays, and nothing replaces a NaN.
        better = mask & ~(v >= low) & (low == low)
        low = tl.where(better, v, low)
        found = tl.where(better, offset, found)
    # NaN is below all, and of equal lanes the one that stands first counts. A lane that found
    # nothing below the highest names its first row, right if it has one; if not, that row lies
    # behind all others and loses against them.
    lost = tl.max((low != low).to(tl.int32), 0) != 0
    least = tl.min(tl.where(low == low, low, HIGHEST), 0)
    wins = tl.where(lost[None, :], low != low, low == least[None, :])
    place = tl.min(tl.where(wins, found + row[:, None], CHUNK), 0)
    if FLOAT:
        least = tl.where(lost, float("nan"), least)
    place = start + place
    if AGAIN:
        was = (first - start + place) * inner + column
        place = tl.load(known + was, mask=column < inner, other=0)
    out = part.to(tl.int64) * inner + column
    tl.store(places + out, place, mask=column < inner)
    tl.store(lows + out, least.to(lows.dtype.element_ty), mask=column < inner)


def min(
    input: torch.Tensor, /, dim: int, keepdim: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    x = input.contiguous() if input.dim() else input.reshape(1)
    axis = dim % x.dim()
    before, n, behind = x.shape[:axis], x.shape[axis], x.shape[axis + 1 :]
    outer, inner = math.prod(before), math.prod(behind)
    columns = 1 if inner == 1 else 128 if inner > 64 else triton.next_power_of_2(inner)
    real = x.dtype.is_floating_point
    wide = torch.float32 if real else torch.int64
    lows = x.new_empty(outer * inner)
    places, chunks, again = lows.new_empty(outer * inner, dtype=torch.int64), 0, False
    while outer * inner and chunks != 1:
        # Blocks of columns are few: their chunks are short, so that there are enough programs.
        most, tile = 8192 if inner == 1 else 256, 2048 // columns
        chunk = triton.next_power_of_2(n) if n < most else most
        chunks = triton.cdiv(n, chunk)
        known, places = places, places.new_empty(outer * chunks * inner)
        lows = x.new_empty(places.numel(), dtype=input.dtype if chunks == 1 else wide)
        _min[(outer * chunks * triton.cdiv(inner, columns),)](
            lows, places, x, known, n, inner, chunks, AGAIN=again, FLOAT=real,
            CHUNK=chunk, ROWS=chunk if chunk < tile else tile, COLUMNS=columns
        )  # fmt: skip
        x, n, again = lows, chunks, True
    kept = [1] if keepdim and input.dim() else []
    shape = [*before, *kept, *behind] if input.dim() else []
    return lows.view(shape), places.view(shape)
