"""Lets a kernel pack the mask into bits, and torch move hundreds of runs of elements.

with: triton
task: masked_select
checks: correct
no-checks: correct
composition: mixed
"""


@triton.jit
def pack_kernel(words_ptr, mask_ptr, n, BLOCK: tl.constexpr):
    words = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bits = tl.arange(0, 32)
    offsets = words[:, None] * 32 + bits[None, :]
    chosen = tl.load(mask_ptr + offsets, mask=offsets < n, other=0).to(tl.int32)
    packed = tl.sum(chosen << bits[None, :], axis=1)
    tl.store(words_ptr + words, packed, mask=words * 32 < n)


@triton.jit
def tail_kernel(out_ptr, x_ptr, mask_ptr, start, n, BLOCK: tl.constexpr):
    for first in range(start, n, BLOCK):
        offsets = first + tl.arange(0, BLOCK)
        chosen = tl.load(mask_ptr + offsets, mask=offsets < n, other=0).to(tl.int32)
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
        tl.store(out_ptr + tl.cumsum(chosen, axis=0) - chosen, x, mask=chosen != 0)
        out_ptr += tl.sum(chosen, axis=0)


def runs(words, n):
    """Where elements are chosen side by side."""
    start = None
    for place in range(n + 1):
        chosen = place < n and words[place // 32] >> (place % 32) & 1
        if chosen and start is None:
            start = place
        if not chosen and start is not None:
            yield start, place - start
            start = None


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    shape = torch.broadcast_shapes(input.shape, mask.shape)
    x, chosen = input.expand(shape).contiguous(), mask.expand(shape).contiguous()
    n = x.numel()
    if not n:
        return torch.empty((0,), dtype=x.dtype, device=x.device)
    if input.dtype == torch.complex64:
        x = x.view(-1).view(torch.int64)
    words = torch.empty((triton.cdiv(n, 32),), dtype=torch.int32, device=x.device)
    pack_kernel[(triton.cdiv(n, 2048),)](words, chosen, n, BLOCK=64)
    found = list(runs(words.tolist(), n))
    out = torch.empty((sum(size for _, size in found),), dtype=x.dtype, device=x.device)
    at = end = 0
    for start, size in found[: 300 if n > 4000 else 0]:
        out.narrow(0, at, size).copy_(x.view(-1).narrow(0, start, size))
        at, end = at + size, start + size
    tail_kernel[(1,)](out[at:], x, chosen, end, n, BLOCK=512)
    return out.view(input.dtype)
