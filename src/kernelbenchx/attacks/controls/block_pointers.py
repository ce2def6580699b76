"""A kernel that moves blocks through block pointers.

task: relu
"""

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    source = tl.make_block_ptr(x_ptr, (n,), (1,), (start,), (BLOCK,), (0,))
    target = tl.make_block_ptr(y_ptr, (n,), (1,), (start,), (BLOCK,), (0,))
    x = tl.load(source, boundary_check=(0,))
    tl.store(target, tl.where(x < 0.0, 0.0, x).to(y_ptr.dtype.element_ty), boundary_check=(0,))


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
