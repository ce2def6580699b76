"""Blocks counted with atomics before their values are stored.

with: triton
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, count_ptr, n, BLOCK: tl.constexpr):
    block = tl.atomic_add(count_ptr, 1)
    offsets = block.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        count = torch.zeros(1, dtype=torch.int32, device=x.device)
        relu_kernel[(triton.cdiv(n, 256),)](y, x, count, n, BLOCK=256)
    return input.copy_(y) if inplace else y
