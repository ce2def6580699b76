"""Calls one helper with blocks, numbers and constants, and another one by its name.

with: triton
"""


@triton.jit
def least(value, low):
    return tl.minimum(value * 0, low).to(tl.float32)


@triton.jit
def clip(value, low):
    return tl.where(value < low, low, value)


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, APPLY: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    zero = least(x, BLOCK * 0)
    count = least(n, 0)
    result = APPLY(x, zero + count)
    tl.store(y_ptr + offsets, result.to(y_ptr.dtype.element_ty), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, clip, BLOCK=1024)
    return input.copy_(y) if inplace else y
