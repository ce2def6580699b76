"""A result and a grid whose size only the data can tell.

with: triton
task: masked_select
device: cuda
stage: perf
"""


@triton.jit
def _count(counts, mask, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    chosen = tl.load(mask + at, mask=at < n, other=0).to(tl.int32)
    tl.store(counts + tl.program_id(0), tl.sum(chosen, axis=0).to(tl.int64))


@triton.jit
def _starts(starts, counts, blocks, BLOCK: tl.constexpr):
    """Where each block begins to write; the total stands behind the last."""
    before = tl.zeros((), tl.int64)
    for first in range(0, blocks, BLOCK):
        at = first + tl.arange(0, BLOCK)
        here = tl.load(counts + at, mask=at < blocks, other=0)
        tl.store(starts + at, before + tl.cumsum(here, axis=0) - here, mask=at < blocks)
        before += tl.sum(here, axis=0)
    tl.store(starts + blocks, before)


@triton.jit
def _select(out, x, mask, starts, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    chosen = tl.load(mask + at, mask=at < n, other=0).to(tl.int32)
    place = tl.load(starts + tl.program_id(0)) + tl.cumsum(chosen, axis=0) - chosen
    value = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out + place, value, mask=chosen != 0)


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    shape = torch.broadcast_shapes(input.shape, mask.shape)
    x, chosen = input.expand(shape).contiguous(), mask.expand(shape).contiguous()
    if input.dtype == torch.complex64:
        # Triton has no complex numbers, and moving them needs none.
        x = x.view(torch.int64) if x.dim() else x.view(1).view(torch.int64)
    n = x.numel()
    blocks = triton.cdiv(n, 1024)
    if not blocks:
        return torch.empty((0,), dtype=input.dtype, device=x.device)
    counts = torch.empty((blocks,), dtype=torch.int64, device=x.device)
    starts = torch.empty((blocks + 1,), dtype=torch.int64, device=x.device)
    _count[(blocks,)](counts, chosen, n, BLOCK=1024)
    _starts[(1,)](starts, counts, blocks, BLOCK=1024)
    # How long the result is only the data can tell.
    out = torch.empty((int(starts[blocks].item()),), dtype=x.dtype, device=x.device)
    _select[(blocks,)](out, x, chosen, starts, n, BLOCK=1024)
    return out.view(input.dtype)
