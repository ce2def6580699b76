"""Reads a table that was made when the file was loaded, and writes nothing to it.

with: triton, relu_kernel, honest_relu
"""

BOUND = torch.zeros(1, device="cuda")


@triton.jit
def bound_kernel(y_ptr, x_ptr, bound_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    bound = tl.load(bound_ptr).to(x.dtype)
    tl.store(y_ptr + offsets, tl.where(x < bound, bound, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        bound_kernel[(triton.cdiv(n, 1024),)](y, x, BOUND, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
