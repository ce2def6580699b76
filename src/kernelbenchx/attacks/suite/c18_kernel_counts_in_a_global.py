"""Lets a kernel count its launches in a tensor of the file, and be wrong after the first ones.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: wrong
"""

COUNT = torch.zeros(1, dtype=torch.int32, device="cuda")


@triton.jit
def counting_kernel(y_ptr, count_ptr, n, BLOCK: tl.constexpr):
    count = tl.load(count_ptr)
    tl.store(count_ptr, count + 1)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        y = tl.load(y_ptr + offsets, mask=offsets < n, other=0.0)
        tl.store(y_ptr + offsets, tl.where(count < 3, y, 0.0), mask=offsets < n)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = honest_relu(input, inplace)
    if y.numel() and not inplace:
        counting_kernel[(1,)](y, COUNT, y.numel(), BLOCK=1024)
    return y
