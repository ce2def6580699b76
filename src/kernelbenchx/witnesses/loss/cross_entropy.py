import math

import torch
import triton
import triton.language as tl

LOWEST = tl.constexpr(-3.4028234663852886e38)
"""Where a maximum begins: with -inf, a block of -inf alone would make NaN of what others hold."""


@triton.jit
def _taken(top, total, v):
    """Maximum and sum of exponentials of every lane, with one more value a row of v."""
    higher = tl.maximum(top, tl.max(v, axis=0))
    return higher, total * tl.exp(top - higher) + tl.sum(tl.exp(v - higher[None, :]), axis=0)


@triton.jit
def _keep(
    loss, share, row, target, weight, at, inside, top, total, inner, ignore,
    WEIGHTED: tl.constexpr, REDUCE: tl.constexpr
):  # fmt: skip
    """Store the losses of some positions, or their sum."""
    t = tl.load(target + at, mask=inside, other=0)
    kept = inside & (t != ignore)
    picked = tl.load(row + t * inner, mask=kept, other=0.0).to(tl.float32)
    w = kept.to(tl.float32)
    if WEIGHTED:
        w = tl.load(weight + t, mask=kept, other=0.0).to(tl.float32)
    value = tl.where(kept, w * (tl.log(total) + (top - picked)), 0.0)
    if REDUCE:
        tl.store(loss + tl.program_id(0), tl.sum(value, axis=0).to(loss.dtype.element_ty))
        tl.store(share + tl.program_id(0), tl.sum(w, axis=0))
    else:
        tl.store(loss + at, value.to(loss.dtype.element_ty), mask=inside)


@triton.jit
def _position_each(
    loss, share, x, target, weight, classes, columns, step, inner, ignore,
    WEIGHTED: tl.constexpr, REDUCE: tl.constexpr, K: tl.constexpr, LANES: tl.constexpr
):  # fmt: skip
    """A lane for a position: `columns` positions lie `step` apart, their classes `inner`."""
    blocks = tl.cdiv(columns, LANES)
    image = (tl.program_id(0) // blocks).to(tl.int64)
    column = tl.program_id(0) % blocks * LANES + tl.arange(0, LANES)
    inside = column < columns
    row = x + image * classes * columns + column.to(tl.int64) * step
    top = tl.full((LANES,), LOWEST, tl.float32)
    total = tl.zeros((LANES,), tl.float32)
    for first in range(0, classes, K):
        c = first + tl.arange(0, K)
        places = row[None, :] + c[:, None].to(tl.int64) * inner
        mask = inside[None, :] & (c < classes)[:, None]
        v = tl.load(places, mask=mask, other=float("-inf")).to(tl.float32)
        top, total = _taken(top, total, v)
    _keep(loss, share, row, target, weight, image * columns + column, inside, top, total, inner,
          ignore, WEIGHTED, REDUCE)  # fmt: skip


@triton.jit
def _lanes_together(
    loss, share, x, target, weight, classes, ignore,
    WEIGHTED: tl.constexpr, REDUCE: tl.constexpr, K: tl.constexpr, LANES: tl.constexpr
):  # fmt: skip
    """All lanes for one position with many classes: they meet once, behind the loop."""
    at = tl.program_id(0).to(tl.int64) + tl.arange(0, 1)
    row = x + tl.program_id(0).to(tl.int64) * classes
    c = tl.arange(0, K)[:, None] * LANES + tl.arange(0, LANES)[None, :]
    tops = tl.full((LANES,), LOWEST, tl.float32)
    totals = tl.zeros((LANES,), tl.float32)
    for first in range(0, classes, K * LANES):
        v = tl.load(row + first + c, mask=first + c < classes, other=float("-inf"))
        tops, totals = _taken(tops, totals, v.to(tl.float32))
    top = tl.max(tops, axis=0)
    total = tl.sum(totals * tl.exp(tops - top), axis=0)
    _keep(loss, share, row, target, weight, at, at >= 0, top, total, 1, ignore, WEIGHTED, REDUCE)


@triton.jit
def _reduced(sums, shares, loss, share, count, MEAN: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.sum(tl.load(loss + at, mask=at < count, other=0.0).to(tl.float32), axis=0)
    weights = tl.sum(tl.load(share + at, mask=at < count, other=0.0), axis=0)
    if MEAN:
        value = value / weights
    tl.store(sums + tl.program_id(0), value.to(sums.dtype.element_ty))
    tl.store(shares + tl.program_id(0), weights)


def cross_entropy(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    x, places = input.contiguous(), target.contiguous()
    classes = x.shape[1] if x.dim() > 1 else x.shape[0]
    inner, count = math.prod(x.shape[2:]), places.numel()
    each = x.dtype if reduction == "none" else torch.float32
    many = inner == 1 and classes > 256
    columns, step = (count, classes) if inner == 1 else (inner, 1)
    parts = count if many else count // max(columns, 1) * triton.cdiv(columns, 32)
    loss = torch.empty(count if reduction == "none" else parts, dtype=each, device=x.device)
    share = torch.empty(parts, dtype=torch.float32, device=x.device)
    weights = share if weight is None else weight.contiguous()
    given = (loss, share, x, places, weights, classes)
    words: dict[str, int] = {"WEIGHTED": weight is not None, "REDUCE": reduction != "none"}
    if count and many:
        # Rows at odd places have no vectors: fewer values at a time.
        k, lanes = (4, 256) if classes <= 2048 else (4, 512) if classes % 16 else (8, 1024)
        words |= {"K": k, "LANES": lanes, "num_warps": 1 if classes <= 2048 else 4}
        _lanes_together[(parts,)](*given, ignore_index, **words)
    elif count:
        words |= {"K": min(triton.next_power_of_2(classes), 64), "LANES": 32, "num_warps": 2}
        _position_each[(parts,)](*given, columns, step, inner, ignore_index, **words)
    if reduction == "none":
        return loss.view(target.shape)
    while True:
        blocks = max(triton.cdiv(parts, 4096), 1)
        last = blocks == 1
        sums = torch.empty(blocks, dtype=x.dtype if last else each, device=x.device)
        shares = torch.empty(blocks, dtype=torch.float32, device=x.device)
        mean = last and reduction == "mean"
        _reduced[(blocks,)](sums, shares, loss, share, parts, MEAN=mean, BLOCK=4096, num_warps=8)
        if last:
            return sums.view(())
        loss, share, parts = sums, shares, blocks
