"""Right for contiguous inputs, and refuses all others: a kernel that assumes its layout."""

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    assert input.is_contiguous(), "input must be contiguous"
    result = input if inplace else torch.empty_like(input)
    n = input.numel()
    if n > 0:
        relu_kernel[(triton.cdiv(n, 1024),)](input, result, n, BLOCK=1024)
    return result
