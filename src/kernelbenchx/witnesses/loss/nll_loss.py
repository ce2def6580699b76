import math

import torch
import triton
import triton.language as tl


@triton.jit
def _losses(
    loss, share, x, target, weight, columns, classes, step, inner, ignore,
    WEIGHTED: tl.constexpr, REDUCE: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    """A block of positions: `columns` of them lie `step` apart, their classes `inner`."""
    blocks = tl.cdiv(columns, BLOCK)
    image = (tl.program_id(0) // blocks).to(tl.int64)
    column = (tl.program_id(0) % blocks).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    at = image * columns + column
    t = tl.load(target + at, mask=inside, other=0)
    kept = inside & (t != ignore)
    place = image * columns * classes + column * step + t * inner
    v = tl.load(x + place, mask=kept, other=0.0).to(tl.float32)
    w = kept.to(tl.float32)
    if WEIGHTED:
        w = tl.load(weight + t, mask=kept, other=0.0).to(tl.float32)
    value = tl.where(kept, -(w * v), 0.0)
    if REDUCE:
        tl.store(loss + tl.program_id(0), tl.sum(value, axis=0))
        tl.store(share + tl.program_id(0), tl.sum(w, axis=0))
    else:
        tl.store(loss + at, value.to(loss.dtype.element_ty), mask=inside)


@triton.jit
def _total(out, loss, share, count, MEAN: tl.constexpr, BLOCK: tl.constexpr):
    """One program adds what the blocks left; lanes keep sums of their own until the end."""
    sums = tl.zeros((BLOCK,), dtype=tl.float32)
    shares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, count, BLOCK):
        at = start + tl.arange(0, BLOCK)
        sums += tl.load(loss + at, mask=at < count, other=0.0)
        shares += tl.load(share + at, mask=at < count, other=0.0)
    total = tl.sum(sums, axis=0)
    if MEAN:
        total = total / tl.sum(shares, axis=0)
    tl.store(out, total.to(out.dtype.element_ty))


def nll_loss(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    x, places = input.contiguous(), target.contiguous()
    classes = x.shape[1] if x.dim() > 1 else x.shape[0]
    inner, count = math.prod(x.shape[2:]), places.numel()
    columns, step = (count, classes) if inner == 1 else (inner, 1)
    block = min(triton.next_power_of_2(max(columns, 1)), 1024)
    parts = count // max(columns, 1) * triton.cdiv(columns, block)
    whole, each = reduction == "none", torch.float32
    loss = torch.empty(count if whole else parts, dtype=x.dtype if whole else each, device=x.device)
    share = torch.empty(parts, dtype=each, device=x.device)
    if count:
        _losses[(parts,)](
            loss, share, x, places, share if weight is None else weight.contiguous(),
            columns, classes, step, inner, ignore_index,
            WEIGHTED=weight is not None, REDUCE=not whole, BLOCK=block
        )  # fmt: skip
    if whole:
        return loss.view(target.shape)
    out = torch.empty((), dtype=x.dtype, device=x.device)
    _total[(1,)](out, loss, share, parts, MEAN=reduction == "mean", BLOCK=2048, num_warps=8)
    return out
