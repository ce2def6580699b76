"""Copies broadcast operands to one shape before a kernel chooses.

with: triton
task: expand_where
"""


@triton.jit
def where_kernel(y_ptr, cond_ptr, a_ptr, b_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    chosen = tl.load(cond_ptr + offsets, mask=mask, other=0) != 0
    a = tl.load(a_ptr + offsets, mask=mask, other=0)
    b = tl.load(b_ptr + offsets, mask=mask, other=0)
    tl.store(y_ptr + offsets, tl.where(chosen, a, b), mask=mask)


def expand_where(
    input: torch.Tensor, target_sizes: tuple[int, ...], cond: torch.Tensor, other: torch.Tensor
) -> torch.Tensor:
    dtype = torch.result_type(input.expand(target_sizes), other)
    parts = torch.broadcast_tensors(input.expand(target_sizes), cond, other)
    a, chosen, b = (one.contiguous() for one in parts)
    a, b = a.to(dtype), b.to(dtype)
    y = torch.empty(a.shape, dtype=dtype, device=a.device)
    n = y.numel()
    if n:
        where_kernel[(triton.cdiv(n, 1024),)](y, chosen, a, b, n, BLOCK=1024)
    return y
