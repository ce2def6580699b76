"""An argument that is 1 in some cases, and stays a number because the kernel says so.

with: triton
"""


@triton.jit(do_not_specialize=["n"])
def relu_kernel(y_ptr, x_ptr, n, total: tl.int64, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = (offsets < n.to(tl.int64)) & (offsets < total.to(tl.int64))
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 256),)](y, x, n, n, BLOCK=256)
    return input.copy_(y) if inplace else y
