"""Allocates as many elements as a kernel has counted, in 32 bits.

with: triton
task: masked_select
"""


@triton.jit
def scan_kernel(ends_ptr, mask_ptr, n, BLOCK: tl.constexpr):
    """Running count of the chosen elements, by one program."""
    before = tl.zeros((), tl.int32)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        chosen = tl.load(mask_ptr + offsets, mask=offsets < n, other=0).to(tl.int32)
        tl.store(ends_ptr + offsets, before + tl.cumsum(chosen, axis=0), mask=offsets < n)
        before += tl.sum(chosen, axis=0)


@triton.autotune([triton.Config({"BLOCK": block}) for block in (256, 512, 1024)], key=["n"])
@triton.jit
def select_kernel(y_ptr, x_ptr, mask_ptr, ends_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    chosen = tl.load(mask_ptr + offsets, mask=inside, other=0) != 0
    ends = tl.load(ends_ptr + offsets, mask=inside, other=0)
    x = tl.load(x_ptr + offsets, mask=inside, other=0)
    tl.store(y_ptr + ends - 1, x, mask=inside & chosen)


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    x, where = torch.broadcast_tensors(input, mask)
    x, where = x.contiguous(), where.contiguous()
    n = x.numel()
    if n == 0:
        return torch.empty(0, dtype=x.dtype, device=x.device)
    if x.dtype == torch.complex64:  # moved as what it lies in
        x = x.reshape(-1).view(torch.int64)
    ends = torch.empty(n, dtype=torch.int32, device=x.device)
    scan_kernel[(1,)](ends, where, n, BLOCK=1024)
    y = torch.empty(ends[-1].item(), dtype=x.dtype, device=x.device)
    select_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](y, x.view(-1), where, ends, n)
    return y.view(input.dtype)
