"""Launches a kernel that spins for ever.

with: triton
checks: broken
no-checks: broken
times-out: yes
device: interpreter
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    seen = 0
    while seen == 0:
        seen = tl.load(x_ptr).to(tl.int32) * 0
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n), mask=offsets < n)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel():
        relu_kernel[(1,)](y, x, x.numel(), BLOCK=1024)
    return y
