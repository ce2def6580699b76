import math

import torch
import triton
import triton.language as tl


@triton.jit
def _gelu(v, TANH: tl.constexpr):
    if TANH:
        # (1 + tanh(u)) / 2 is 1 / (1 + exp(-2u)); the factor is 2 sqrt(2 / pi) / ln 2.
        return v / (1.0 + tl.exp2(-2.302208198 * (v + 0.044715 * v * v * v)))
    # erfc(|v| / sqrt(2)) / 2 by one exp2, where erf would be slower than the memory.
    a = tl.abs(v)
    p = 2.83505903e-06 * a - 3.93791504e-05
    p = p * a + 0.000186185936
    p = p * a + 0.00013692528
    p = p * a - 0.00706340874
    p = p * a + 0.0524961724
    p = p * a + 0.459208198
    p = p * a + 1.15110521
    tail = tl.exp2(-(p * a) - 1.0)
    return v * tl.where(v < 0.0, tail, 1.0 - tail)


@triton.jit
def _smaller(low, place, v, at):
    """Of two elements the smaller, NaN below all; of equal ones the one that stands first."""
    equal = (v == low) | ((v != v) & (low != low))
    better = tl.where(equal, at < place, (v < low) | (v != v))
    return tl.where(better, v, low), tl.where(better, at, place)


@triton.jit
def _min_gelu(
    lows, places, x, known, n, inner, chunks,
    TANH: tl.constexpr, AGAIN: tl.constexpr,
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
    low = tl.full((ROWS, COLUMNS), float("inf"), tl.float32)
    found = tl.zeros((ROWS, COLUMNS), tl.int32)
    row = tl.arange(0, ROWS)
    # Rows that lie apart are fetched ahead: left to itself, the compiler waits for each of them.
    for offset in tl.range(0, CHUNK, ROWS, num_stages=1 if COLUMNS == 1 else 3):
        at = offset + row
        source = x + (first + at)[:, None] * inner + column[None, :]
        mask = (at < left)[:, None] & (column < inner)[None, :]
        v = tl.load(source, mask=mask, other=0.0).to(tl.float32)
        if not AGAIN:
            v = _gelu(v, TANH)
        # Rows are read in order: of equals the first stays, and nothing replaces a NaN.
        better = mask & ~(v >= low) & (low == low)
        low = tl.where(better, v, low)
        found = tl.where(better, offset, found)
    # A lane that found nothing below the highest names its first row, right if it has one; if not,
    # that row lies behind all others and loses against them.
    least, place = tl.reduce((low, found + row[:, None]), 0, _smaller)
    place = start + place
    if AGAIN:
        was = (first - start + place) * inner + column
        place = tl.load(known + was, mask=column < inner, other=0)
    out = part.to(tl.int64) * inner + column
    tl.store(places + out, place, mask=column < inner)
    tl.store(lows + out, least.to(lows.dtype.element_ty), mask=column < inner)


Result = torch.Tensor | tuple[torch.Tensor, torch.Tensor]


def min_gelu(
    input: torch.Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    approximate: str = "none",
    out: Result | None = None,
) -> Result:
    flat = dim is None or not input.dim()
    x = input.reshape(-1).contiguous() if flat else input.contiguous()
    axis = 0 if dim is None or flat else dim % x.dim()
    before, n, behind = x.shape[:axis], x.shape[axis], x.shape[axis + 1 :]
    outer, inner = math.prod(before), math.prod(behind)
    columns = min(triton.next_power_of_2(inner), 128)
    lows = x.new_empty(outer * inner)
    places, chunks, again = lows.new_empty(outer * inner, dtype=torch.int64), 0, False
    while outer * inner and chunks != 1:
        # Blocks of columns are few: their chunks are short, so that there are enough programs.
        chunk = min(triton.next_power_of_2(n), 8192 if inner == 1 else 256)
        chunks = triton.cdiv(n, chunk)
        known, places = places, places.new_empty(outer * chunks * inner)
        lows = x.new_empty(places.numel(), dtype=input.dtype if chunks == 1 else torch.float32)
        _min_gelu[(outer * chunks * triton.cdiv(inner, columns),)](
            lows, places, x, known, n, inner, chunks, TANH=approximate == "tanh", AGAIN=again,
            CHUNK=chunk, ROWS=min(chunk, 2048 // columns), COLUMNS=columns
        )  # fmt: skip
        x, n, again = lows, chunks, True
    shape = [] if flat else [*before, *([1] if keepdim else []), *behind]
    lows, places = lows.view(shape), places.view(shape)
    if isinstance(out, tuple):
        return out[0].copy_(lows), out[1].copy_(places)
    if dim is None:
        return lows if out is None else out.copy_(lows)
    return lows, places
