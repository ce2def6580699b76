import torch
import triton
import triton.language as tl


@triton.jit
def _loss(x, y, mask, LOG: tl.constexpr):
    v = tl.load(x, mask=mask).to(tl.float32)
    t = tl.load(y, mask=mask).to(tl.float32)
    if LOG:
        return tl.exp(t) * (t - v)
    return tl.where(t == 0.0, 0.0, t * tl.log(t)) - t * v


@triton.jit
def _losses(
    out, x, y, n, scale, LOG: tl.constexpr, REDUCE: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        value = _loss(x + at, y + at, None, LOG)
        if not REDUCE:
            tl.store(out + at, value.to(out.dtype.element_ty))
    else:
        value = tl.where(at < n, _loss(x + at, y + at, at < n, LOG), 0.0)
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


def kl_div(
    input: torch.Tensor,
    target: torch.Tensor,
    reduction: str = "batchmean",
    log_target: bool = False,
) -> torch.Tensor:
    x, y = input.contiguous(), target.contiguous()
    n = x.numel()
    if reduction == "none":
        out = torch.empty_like(x)
        if n:
            _losses[(triton.cdiv(n, 1024),)](
                out, x, y, n, 1.0, LOG=log_target, REDUCE=False, BLOCK=1024
            )
        return out
    counts = {"mean": n, "batchmean": x.shape[0] if x.dim() else 1}
    count = counts.get(reduction, 1)
    out = torch.empty((), dtype=x.dtype, device=x.device)
    if not n:
        return out.fill_(0.0 if count else float("nan"))
    blocks = triton.cdiv(n, 4096)
    parts = torch.empty((blocks,), dtype=torch.float32, device=x.device)
    _losses[(blocks,)](
        parts, x, y, n, 1.0 / count, LOG=log_target, REDUCE=True, BLOCK=4096, num_warps=8
    )
    _total[(1,)](out, parts, blocks, BLOCK=4096, num_warps=16)
    return out
