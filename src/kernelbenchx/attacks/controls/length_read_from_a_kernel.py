"""Reads the length of the result from a kernel, as one 32-bit number.

with: triton
task: masked_select
"""


@triton.jit
def count_kernel(counts_ptr, mask_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    chosen = tl.load(mask_ptr + offsets, mask=offsets < n, other=0).to(tl.int32)
    tl.store(counts_ptr + tl.program_id(0), tl.sum(chosen, axis=0))


@triton.jit
def start_kernel(starts_ptr, counts_ptr, total_ptr, blocks, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    counts = tl.load(counts_ptr + offsets, mask=offsets < blocks, other=0)
    tl.store(starts_ptr + offsets, tl.cumsum(counts, axis=0) - counts, mask=offsets < blocks)
    tl.store(total_ptr, tl.sum(counts, axis=0))


@triton.jit
def select_kernel(out_ptr, x_ptr, mask_ptr, starts_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    chosen = tl.load(mask_ptr + offsets, mask=offsets < n, other=0).to(tl.int32)
    place = tl.load(starts_ptr + tl.program_id(0)) + tl.cumsum(chosen, axis=0) - chosen
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr + place, x, mask=chosen != 0)


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    x, chosen = torch.broadcast_tensors(input, mask)
    x, chosen = x.contiguous(), chosen.contiguous()
    n = x.numel()
    if not n:
        return torch.empty((0,), dtype=x.dtype, device=x.device)
    if x.dtype == torch.complex64:  # moved as what it lies in
        x = x.reshape(-1).view(torch.int64)
    blocks = triton.cdiv(n, 512)
    counts = torch.empty((blocks,), dtype=torch.int32, device=x.device)
    starts = torch.empty((blocks,), dtype=torch.int32, device=x.device)
    total = torch.empty((1,), dtype=torch.int32, device=x.device)
    count_kernel[(blocks,)](counts, chosen, n, BLOCK=512)
    width = triton.next_power_of_2(blocks)
    start_kernel[(1,)](starts, counts, total, blocks, BLOCK=width)
    out = torch.empty((int(total.item()),), dtype=x.dtype, device=x.device)
    select_kernel[(blocks,)](out, x, chosen, starts, n, BLOCK=512)
    return out.view(input.dtype)
