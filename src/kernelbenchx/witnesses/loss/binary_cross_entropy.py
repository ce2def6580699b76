import math

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _loss(x, target, weight, at, mask, inner, period, WEIGHT: tl.constexpr):
    v = tl.load(x + at, mask=mask).to(tl.float32)
    y = tl.load(target + at, mask=mask).to(tl.float32)
    yes = tl.maximum(tl.log(v), -100.0)
    no = tl.maximum(libdevice.log1p(-v), -100.0)
    value = (y - 1.0) * no - y * yes
    if WEIGHT == "each":
        value *= tl.load(weight + at, mask=mask).to(tl.float32)
    elif WEIGHT == "shared":
        value *= tl.load(weight + at // inner % period, mask=mask).to(tl.float32)
    return value


@triton.jit
def _losses(
    out, x, target, weight, n, inner, period, scale,
    WEIGHT: tl.constexpr, REDUCE: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        value = _loss(x, target, weight, at, None, inner, period, WEIGHT)
        if not REDUCE:
            tl.store(out + at, value.to(out.dtype.element_ty))
    else:
        value = _loss(x, target, weight, at, at < n, inner, period, WEIGHT)
        value = tl.where(at < n, value, 0.0)
        if not REDUCE:
            tl.store(out + at, value.to(out.dtype.element_ty), mask=at < n)
    if REDUCE:
        tl.store(out + tl.program_id(0), tl.sum(value, axis=0) * scale)


@triton.jit
def _total(out, parts, count, BLOCK: tl.constexpr):
    """One program adds what the blocks left; lanes keep sums of their own until the end."""
    sums = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, count, BLOCK):
        at = start + tl.arange(0, BLOCK)
        sums += tl.load(parts + at, mask=at < count, other=0.0)
    tl.store(out, tl.sum(sums, axis=0).to(out.dtype.element_ty))


def _spread(weight: torch.Tensor, shape: torch.Size) -> tuple[torch.Tensor, int]:
    """A weight and `inner`, so that element i has weight[i // inner % its size]."""
    sizes = [1] * (len(shape) - weight.dim()) + list(weight.shape)
    wide = [d for d, size in enumerate(sizes) if size > 1]
    first, last = (wide[0], wide[-1]) if wide else (0, -1)
    if sizes[first : last + 1] != list(shape[first : last + 1]):
        return weight.expand(shape).contiguous(), 1
    return weight.contiguous(), math.prod(shape[last + 1 :])


def binary_cross_entropy(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    reduction: str = "mean",
) -> torch.Tensor:
    x, y = input.contiguous(), target.contiguous()
    n, whole = x.numel(), reduction == "none"
    out = torch.empty(x.shape if whole else (), dtype=x.dtype, device=x.device)
    if not n:
        return out if whole else out.fill_(float("nan") if reduction == "mean" else 0.0)
    w, inner = (x, 1) if weight is None else _spread(weight, x.shape)
    words = {"WEIGHT": "none" if weight is None else "each" if w.numel() == n else "shared"}
    block, warps = (1024, 4) if whole else (4096, 8)
    blocks, scale = triton.cdiv(n, block), 1.0 / n if reduction == "mean" else 1.0
    parts = out if whole else torch.empty((blocks,), dtype=torch.float32, device=x.device)
    _losses[(blocks,)](
        parts, x, y, w, n, inner, w.numel(), scale,
        **words, REDUCE=not whole, BLOCK=block, num_warps=warps
    )  # fmt: skip
    if not whole:
        _total[(1,)](out, parts, blocks, BLOCK=4096, num_warps=16)
    return out
