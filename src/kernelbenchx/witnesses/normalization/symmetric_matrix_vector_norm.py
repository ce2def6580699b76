import math

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _product(
    y, a, x, n, row_stride, alpha, beta, EVEN: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    """alpha * A @ x + beta * x, some rows; the columns of A lie side by side."""
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, BLOCK)
    within = row < n
    # Rows beyond the end are read again from the first: they are not stored.
    source = a + tl.where(within, row, 0)[:, None] * row_stride + column[None, :]
    sums = tl.zeros((ROWS, BLOCK), tl.float32)
    for start in range(0, n, BLOCK):
        if EVEN:
            v, w = tl.load(source + start), tl.load(x + start + column)
        else:
            mask = start + column < n
            v = tl.load(source + start, mask=mask[None, :], other=0.0)
            w = tl.load(x + start + column, mask=mask, other=0.0)
        sums += v.to(tl.float32) * w.to(tl.float32)[None, :]
    own = tl.load(x + row, mask=within, other=0.0).to(tl.float32)
    tl.store(y + row, alpha * tl.sum(sums, axis=1) + beta * own, mask=within)


@triton.jit
def _norm(out, y, n, p, ORDER: tl.constexpr, BLOCK: tl.constexpr):
    """`ORDER`: 1, 2, or 0 for other powers, 3 for the largest, 4 for the smallest."""
    place = tl.arange(0, BLOCK)
    filler = float("inf") if ORDER == 4 else 0.0
    found = tl.full((BLOCK,), filler, tl.float32)
    odd = tl.zeros((BLOCK,), tl.int32)
    for start in range(0, n, BLOCK):
        v = tl.abs(tl.load(y + start + place, mask=start + place < n, other=filler))
        odd |= (v != v).to(tl.int32)
        if ORDER == 3:
            found = tl.maximum(found, v)
        elif ORDER == 4:
            found = tl.minimum(found, v)
        elif ORDER == 2:
            found += v * v
        elif ORDER == 1:
            found += v
        else:
            found += libdevice.pow(v, tl.zeros_like(v) + p)
    if ORDER == 3:
        total = tl.max(found, axis=0)
    elif ORDER == 4:
        total = tl.min(found, axis=0)
    else:
        total = tl.sum(found, axis=0)
    if ORDER == 2:
        total = tl.sqrt(total)
    elif ORDER == 0:
        total = libdevice.pow(total, 1.0 / p)
    total = tl.where(tl.max(odd, axis=0) > 0, float("nan"), total)
    tl.store(out, total.to(out.dtype.element_ty))


def symmetric_matrix_vector_norm(
    A: torch.Tensor, x: torch.Tensor, alpha: float, beta: float, p: float = 2.0
) -> torch.Tensor:
    n, x = x.shape[0], x.contiguous()
    a = A if A.stride(1) == 1 else A.mT  # the same matrix
    a = a if a.stride(1) == 1 else a.contiguous()
    y = torch.empty(n, dtype=torch.float32, device=A.device)
    out = torch.empty((), dtype=A.dtype, device=A.device)
    rows, block = (8, 512) if n > 512 else (4, 256)
    _product[(triton.cdiv(n, rows),)](
        y, a, x, n, a.stride(0), alpha, beta, EVEN=n % block == 0, ROWS=rows, BLOCK=block
    )
    order = {1.0: 1, 2.0: 2, math.inf: 3, -math.inf: 4}.get(p, 0)
    _norm[(1,)](out, y, n, p, ORDER=order, BLOCK=min(triton.next_power_of_2(n), 4096), num_warps=8)
    return out
