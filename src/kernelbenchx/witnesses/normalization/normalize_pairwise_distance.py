import math

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _added(found, v, p, ORDER: tl.constexpr):
    """`ORDER`: 1, 2, 0 for the largest, or 3 for other powers."""
    v = tl.abs(v)
    if ORDER == 0:
        return tl.maximum(found, v, propagate_nan=tl.PropagateNan.ALL)
    if ORDER == 1:
        return found + v
    if ORDER == 2:
        return found + v * v
    return found + libdevice.pow(v, tl.zeros_like(v) + p)


@triton.jit
def _root(found, p, ORDER: tl.constexpr, AXIS: tl.constexpr):
    """The norm from what was found in each lane."""
    if ORDER == 0:
        largest = tl.max(found, axis=AXIS)
        odd = tl.max((found != found).to(tl.int32), axis=AXIS)
        return tl.where(odd > 0, float("nan"), largest)
    total = tl.sum(found, axis=AXIS)
    if ORDER == 1:
        return total
    if ORDER == 2:
        return tl.sqrt(total)
    return libdevice.pow(total, tl.zeros_like(total) + 1.0 / p)


@triton.jit
def _distances(
    d, x1, x2, rows, width, p, eps,
    ORDER: tl.constexpr, EVEN: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, BLOCK)
    # Rows beyond the end are read again from the first: they are not stored.
    first = tl.where(row < rows, row, 0)[:, None] * width + column[None, :]
    found = tl.zeros((ROWS, BLOCK), tl.float32)
    for start in range(0, width, BLOCK):
        if EVEN:
            apart = tl.load(x1 + first + start).to(tl.float32)
            apart = apart - tl.load(x2 + first + start).to(tl.float32) + eps
        else:
            mask = (start + column < width)[None, :]
            apart = tl.load(x1 + first + start, mask=mask, other=0.0).to(tl.float32)
            other = tl.load(x2 + first + start, mask=mask, other=0.0).to(tl.float32)
            apart = tl.where(mask, apart - other + eps, 0.0)
        found = _added(found, apart, p, ORDER)
    tl.store(d + row, _root(found, p, ORDER, 1), mask=row < rows)


@triton.jit
def _normalized(
    y, d, n, inner, p, eps, ORDER: tl.constexpr, BLOCK: tl.constexpr, COLUMNS: tl.constexpr
):
    """d[outer, n, inner] along n, some columns of inner."""
    blocks = tl.cdiv(inner, COLUMNS)
    outer = (tl.program_id(0) // blocks).to(tl.int64)
    column = (tl.program_id(0) % blocks) * COLUMNS + tl.arange(0, COLUMNS)
    row = tl.arange(0, BLOCK)
    first = outer * n * inner + column[None, :]
    found = tl.zeros((BLOCK, COLUMNS), tl.float32)
    for start in range(0, n, BLOCK):
        at = (start + row).to(tl.int64)[:, None]
        mask = (at < n) & (column < inner)[None, :]
        found = _added(found, tl.load(d + first + at * inner, mask=mask, other=0.0), p, ORDER)
    norm = _root(found, p, ORDER, 0)
    norm = tl.where(norm < eps, eps, norm)[None, :]
    for start in range(0, n, BLOCK):
        at = (start + row).to(tl.int64)[:, None]
        mask = (at < n) & (column < inner)[None, :]
        v = tl.load(d + first + at * inner, mask=mask, other=0.0) / norm
        tl.store(y + first + at * inner, v.to(y.dtype.element_ty), mask=mask)


def normalize_pairwise_distance(
    x1: torch.Tensor,
    x2: torch.Tensor,
    p_distance: float = 2.0,
    eps_distance: float = 1e-06,
    keepdim: bool = False,
    p_norm: float = 2,
    dim_norm: int = 1,
    eps_norm: float = 1e-12,
) -> torch.Tensor:
    a, b, width = x1.contiguous(), x2.expand(x1.shape).contiguous(), x1.shape[-1]
    d = torch.empty(x1.shape[:-1], dtype=torch.float32, device=x1.device)
    d = d.unsqueeze(-1) if keepdim else d
    y = torch.empty(d.shape, dtype=x1.dtype, device=x1.device)
    orders = {math.inf: 0, 1: 1, 2: 2}
    rows, n = d.numel(), d.shape[dim_norm]
    if rows:
        block = min(triton.next_power_of_2(width), 1024)
        many = max(1024 // block, 1)
        _distances[(triton.cdiv(rows, many),)](
            d, a, b, rows, width, float(p_distance), eps_distance,
            ORDER=orders.get(p_distance, 3), EVEN=width % block == 0, ROWS=many, BLOCK=block,
        )  # fmt: skip
        inner = d.stride(dim_norm)
        columns = min(triton.next_power_of_2(inner), 64)
        _normalized[(rows // (n * inner) * triton.cdiv(inner, columns),)](
            y, d, n, inner, float(p_norm), eps_norm, ORDER=orders.get(p_norm, 3),
            BLOCK=min(triton.next_power_of_2(n), 2048 // columns), COLUMNS=columns,
        )  # fmt: skip
    return y
