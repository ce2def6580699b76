"""A kernel that writes into its own input where that is asked for.

task: relu
"""

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace and input.is_contiguous():
        if input.numel():
            relu_kernel[(triton.cdiv(input.numel(), 1024),)](
                input, input, input.numel(), BLOCK=1024
            )
        return input
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel():
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](y, x, x.numel(), BLOCK=1024)
    return input.copy_(y) if inplace else y
