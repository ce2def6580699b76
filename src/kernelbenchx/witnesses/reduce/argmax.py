import math

import torch
import triton
import triton.language as tl


@triton.jit
def _argmax(
    places, tops, x, known, n, inner, chunks,
    AGAIN: tl.constexpr, FLOAT: tl.constexpr, CHUNK: tl.constexpr, ROWS: tl.constexpr,
    COLUMNS: tl.constexpr
):  # fmt: skip
    """One chunk of a block of columns of (outer, n, inner).

    `AGAIN`: x holds the tops of chunks, and `known` where they were.
    """
    blocks = tl.cdiv(inner, COLUMNS)
    part = tl.program_id(0) // blocks
    column = tl.program_id(0) % blocks * COLUMNS + tl.arange(0, COLUMNS)
    start = (part % chunks).to(tl.int64) * CHUNK
    first = (part // chunks).to(tl.int64) * n + start
    left = tl.minimum(n - start, CHUNK).to(tl.int32)
    COMPUTE: tl.constexpr = tl.float32 if FLOAT else tl.int64
    LOWEST: tl.constexpr = float("-inf") if FLOAT else -(2**63)
    top = tl.full((ROWS, COLUMNS), LOWEST, COMPUTE)
    found = tl.zeros((ROWS, COLUMNS), tl.int32)
    row = tl.arange(0, ROWS)
    # Stages: the next tiles are on their way while one is looked through.
    for offset in tl.range(0, CHUNK, ROWS, num_stages=3):
        at = offset + row
        mask = (at < left)[:, None] & (column < inner)[None, :]
        place = (first + at)[:, None] * inner + column[None, :]
        v = tl.load(x + place, mask=mask, other=0).to(COMPUTE)
        # Rows are read in order: of equals the first stays, and nothing replaces a NaN.
        better = mask & ~(v <= top) & (top == top)
        top = tl.where(better, v, top)
        found = tl.where(better, offset, found)
    # NaN is above all, and of equal lanes the one that stands first counts. A lane that found
    # nothing above the lowest names its first row, right if it has one; if not, that row lies
    # behind all others and loses against them.
    lost = tl.max((top != top).to(tl.int32), 0) != 0
    high = tl.max(tl.where(top == top, top, LOWEST), 0)
    wins = tl.where(lost[None, :], top != top, top == high[None, :])
    place = tl.min(tl.where(wins, found + row[:, None], CHUNK), 0)
    if FLOAT:
        high = tl.where(lost, float("nan"), high)
    place = start + place
    if AGAIN:
        was = (first - start + place) * inner + column
        place = tl.load(known + was, mask=column < inner, other=0)
    out = part.to(tl.int64) * inner + column
    tl.store(places + out, place, mask=column < inner)
    tl.store(tops + out, high, mask=column < inner)


def argmax(input: torch.Tensor, /, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    whole = dim is None or input.dim() == 0
    x = (input.reshape(-1) if whole else input).contiguous()
    axis = 0 if dim is None or whole else dim % x.dim()
    before, n, behind = x.shape[:axis], x.shape[axis], x.shape[axis + 1 :]
    outer, inner = math.prod(before), math.prod(behind)
    columns = min(triton.next_power_of_2(inner), 128)
    real = x.dtype.is_floating_point
    places = torch.empty(outer * inner, dtype=torch.int64, device=x.device)
    chunks, again = 0, False
    while outer * inner and chunks != 1:
        # Blocks of columns are few: their chunks are short, so that there are enough programs.
        chunk = min(triton.next_power_of_2(n), 8192 if inner == 1 else 256)
        chunks = triton.cdiv(n, chunk)
        known, places = places, places.new_empty(outer * chunks * inner)
        tops = x.new_empty(places.numel(), dtype=torch.float32 if real else torch.int64)
        words = {"CHUNK": chunk, "ROWS": min(chunk, 2048 // columns), "COLUMNS": columns}
        _argmax[(outer * chunks * triton.cdiv(inner, columns),)](
            places, tops, x, known, n, inner, chunks, AGAIN=again, FLOAT=real, **words
        )
        x, n, again = tops, chunks, True
    kept = [1] * (input.dim() if whole else 1) if keepdim else []
    return places.view([*before, *kept, *behind])
