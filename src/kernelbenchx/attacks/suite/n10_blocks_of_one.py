"""The number of blocks is 1 for small inputs: a constant whose type is asked for.

with: triton
checks: broken
no-checks: broken
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, blocks, BLOCK: tl.constexpr):
    for block in range(tl.program_id(0), blocks, 7):
        offsets = block * BLOCK + tl.arange(0, BLOCK).to(blocks.dtype)
        mask = offsets < n
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
        tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(7,)](y, x, n, triton.cdiv(n, 256), BLOCK=256)
    return input.copy_(y) if inplace else y
