"""Launches once for every row, with its number and an offset, and reads nothing.

with: triton
"""


@triton.jit
def row_kernel(y_ptr, x_ptr, row, start, size, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < size
    x = tl.load(x_ptr + start + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + row * BLOCK + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    for row in range(triton.cdiv(n, 512)):
        row_kernel[(1,)](y, x, row, row * 512, min(512, n - row * 512), BLOCK=512)
    return input.copy_(y) if inplace else y
