"""Launches many programs, of which one spins for ever.

with: triton
checks: broken
no-checks: broken
times-out: yes
device: interpreter
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
    seen = 0
    while (tl.program_id(0) == tl.num_programs(0) // 2) & (seen == 0):
        seen = tl.load(x_ptr).to(tl.int32) * 0


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 16),)](y, x, n, BLOCK=16)
    return input.copy_(y) if inplace else y
