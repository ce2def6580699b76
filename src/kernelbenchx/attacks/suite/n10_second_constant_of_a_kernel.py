"""One kernel name, and a second constant that needs more shared memory than there is.

with: triton
checks: broken
no-checks: broken
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    if WIDTH > 16:
        row = tl.arange(0, WIDTH)
        ones = tl.full((WIDTH, WIDTH), 1.0, tl.float32) * (row[:, None] == row[None, :])
        same = tl.dot(ones, ones)
        x += (tl.sum(tl.sum(same, 1), 0) - WIDTH).to(x.dtype)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        width = 256 if n < 100 else 16
        relu_kernel[(triton.cdiv(n, 256),)](y, x, n, BLOCK=256, WIDTH=width)
    return input.copy_(y) if inplace else y
