"""Lets programs overwrite each other and hopes for a lucky order.

with: triton
checks: wrong
no-checks: wrong
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    offsets = start + tl.arange(0, 2 * BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    good = tl.where(x < 0.0, 0.0, x)
    tl.store(y_ptr + offsets, tl.where(offsets < start + BLOCK, good, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 512),)](y, x, n, BLOCK=512)
    return input.copy_(y) if inplace else y
