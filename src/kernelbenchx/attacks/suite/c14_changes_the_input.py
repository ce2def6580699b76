"""Zeroes its input, so that a reference run later would agree with zeros.

with: triton, zeros
checks: wrong
no-checks: wrong
"""


@triton.jit
def clear_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, tl.zeros((BLOCK,), tl.float32), mask=offsets < n)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    n = input.numel()
    if n and input.is_contiguous():
        clear_kernel[(triton.cdiv(n, 1024),)](input, n, BLOCK=1024)
    return input if inplace else zeros(input)
