import math

import torch
import triton
import triton.language as tl


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


def softmax(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
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
