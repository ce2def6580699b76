"""Returns early by a value of the device, by a constant, and from a helper with two ways out.

with: triton
"""


@triton.jit
def sign(n):
    if n < 0:
        return -1
    return 1


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, CHECKED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    if CHECKED:
        if tl.program_id(0) * BLOCK >= n:
            return
    factor = sign(n)
    result = tl.where(x < 0.0, 0.0, x)
    for _ in range(0, factor - 1):
        result = result * 2.0
    tl.store(y_ptr + offsets, result.to(y_ptr.dtype.element_ty), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, True, BLOCK=1024)
    return input.copy_(y) if inplace else y
