import math

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _added(found, v, p, ORDER: tl.constexpr):
    """`ORDER`: 1, 0 for the largest, or 3 for other powers."""
    v = tl.abs(v)
    if ORDER == 0:
        return tl.maximum(found, v)
    if ORDER == 1:
        return found + v
    return found + libdevice.pow(v, tl.zeros_like(v) + p)


@triton.jit
def _clamped(found, squares, p, eps_norm, eps, ORDER: tl.constexpr):
    """What a vector is divided by in all: its p-norm, and the length of what that leaves."""
    if ORDER == 0:
        norm = tl.max(found, axis=0)
    elif ORDER == 2:
        norm = tl.sqrt(squares)
    else:
        norm = tl.sum(found, axis=0)
    if ORDER == 3:
        norm = libdevice.pow(norm, tl.zeros_like(norm) + 1.0 / p)
    norm = tl.maximum(norm, eps_norm)
    return norm, tl.maximum(tl.sqrt(squares) / norm, eps)


@triton.jit
def _similar(
    y, x1, x2, n, inner, p, eps_norm, eps,
    ORDER: tl.constexpr, EVEN: tl.constexpr, BLOCK: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """x[outer, n, inner] along n, some columns of inner; NaN and infinities come by the sums."""
    blocks = tl.cdiv(inner, COLUMNS)
    outer = (tl.program_id(0) // blocks).to(tl.int64)
    column = (tl.program_id(0) % blocks) * COLUMNS + tl.arange(0, COLUMNS)
    row = tl.arange(0, BLOCK)
    first = outer * n * inner + column[None, :]
    cross = tl.zeros((BLOCK, COLUMNS), tl.float32)
    one, two, some, others = cross, cross, cross, cross
    for start in range(0, n, BLOCK):
        at = (start + row).to(tl.int64)[:, None]
        place = first + at * inner
        if EVEN:
            v, w = tl.load(x1 + place), tl.load(x2 + place)
        else:
            mask = (at < n) & (column < inner)[None, :]
            v, w = (
                tl.load(x1 + place, mask=mask, other=0.0),
                tl.load(x2 + place, mask=mask, other=0.0),
            )
        v, w = v.to(tl.float32), w.to(tl.float32)
        cross += v * w
        one += v * v
        two += w * w
        if ORDER != 2:
            some, others = _added(some, v, p, ORDER), _added(others, w, p, ORDER)
    left, left2 = _clamped(some, tl.sum(one, axis=0), p, eps_norm, eps, ORDER)
    right, right2 = _clamped(others, tl.sum(two, axis=0), p, eps_norm, eps, ORDER)
    value = tl.sum(cross, axis=0) / left / right / (left2 * right2)
    odd = tl.sum(one, axis=0) + tl.sum(two, axis=0)
    value = tl.where(odd < float("inf"), value, float("nan"))
    tl.store(y + outer * inner + column, value.to(y.dtype.element_ty), mask=column < inner)


def normalized_cosine_similarity(
    x1: torch.Tensor,
    x2: torch.Tensor,
    dim: int = 1,
    eps_similarity: float = 1e-08,
    p_norm: float = 2,
    eps_norm: float = 1e-12,
) -> torch.Tensor:
    a, b, dim = x1.contiguous(), x2.expand(x1.shape).contiguous(), dim % x1.dim()
    shape, n, inner = a.shape[:dim] + a.shape[dim + 1 :], a.shape[dim], a.stride(dim)
    y = torch.empty(shape, dtype=x1.dtype, device=x1.device)
    if y.numel():
        columns = min(triton.next_power_of_2(inner), 64)
        block = min(triton.next_power_of_2(n), 1024 // columns)
        _similar[(y.numel() // inner * triton.cdiv(inner, columns),)](
            y, a, b, n, inner, float(p_norm), eps_norm, eps_similarity,
            ORDER={math.inf: 0, 1: 1, 2: 2}.get(p_norm, 3),
            EVEN=n % block == 0 and inner % columns == 0, BLOCK=block, COLUMNS=columns,
        )  # fmt: skip
    return y
