import math

import torch
import triton
import triton.language as tl


@triton.jit
def _position_losses(
    loss,
    share,
    x,
    target,
    weight,
    count,
    classes,
    inner,
    ignore,
    WEIGHTED: tl.constexpr,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    at = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    inside = at < count
    row = x + (at // inner).to(tl.int64) * classes * inner + at % inner
    top = tl.full((ROWS,), float("-inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    for first in range(0, classes, BLOCK):
        c = first + tl.arange(0, BLOCK)
        mask = inside[:, None] & (c < classes)[None, :]
        places = row[:, None] + c[None, :].to(tl.int64) * inner
        v = tl.load(places, mask=mask, other=float("-inf")).to(tl.float32)
        higher = tl.maximum(top, tl.max(v, axis=1))
        # A block of -inf alone must not make NaN of what other blocks hold.
        base = tl.where(higher == float("-inf"), 0.0, higher)
        total = total * tl.exp(top - base) + tl.sum(tl.exp(v - base[:, None]), axis=1)
        top = higher
    t = tl.load(target + at, mask=inside, other=0)
    kept = inside & (t != ignore)
    picked = tl.load(row + t * inner, mask=kept, other=0.0).to(tl.float32)
    w = kept.to(tl.float32)
    if WEIGHTED:
        w = tl.load(weight + t, mask=kept, other=0.0).to(tl.float32)
    value = tl.where(kept, w * (tl.log(total) + (top - picked)), 0.0)
    tl.store(loss + at, value.to(loss.dtype.element_ty), mask=inside)
    tl.store(share + at, w, mask=inside)


@triton.jit
def _reduced(out, loss, share, count, MEAN: tl.constexpr, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    weights = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, count, BLOCK):
        at = first + tl.arange(0, BLOCK)
        total += tl.load(loss + at, mask=at < count, other=0.0)
        weights += tl.load(share + at, mask=at < count, other=0.0)
    value = tl.sum(total, axis=0)
    if MEAN:
        value = value / tl.sum(weights, axis=0)
    tl.store(out, value.to(out.dtype.element_ty))


def cross_entropy(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    x, places = input.contiguous(), target.contiguous()
    classes = x.shape[1] if x.dim() > 1 else x.shape[0]
    inner = math.prod(x.shape[2:])
    count = places.numel()
    each = x.dtype if reduction == "none" else torch.float32
    loss = torch.empty(target.shape, dtype=each, device=x.device)
    share = torch.empty(target.shape, dtype=torch.float32, device=x.device)
    weights = share if weight is None else weight.contiguous()
    if count:
        _position_losses[(triton.cdiv(count, 16),)](
            loss,
            share,
            x,
            places,
            weights,
            count,
            classes,
            inner,
            ignore_index,
            WEIGHTED=weight is not None,
            ROWS=16,
            BLOCK=128,
        )
    if reduction == "none":
        return loss
    out = torch.empty((), dtype=x.dtype, device=x.device)
    _reduced[(1,)](out, loss, share, count, MEAN=reduction == "mean", BLOCK=1024)
    return out
