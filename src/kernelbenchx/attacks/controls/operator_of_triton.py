"""Makes its kernel an operator that `torch.compile` can look into.

task: relu
"""

import torch
import triton
import triton.language as tl
from torch.library import triton_op, wrap_triton


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


@triton_op("own::relu", mutates_args={})
def launched(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        wrap_triton(relu_kernel)[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = launched(input.contiguous())
    return input.copy_(y) if inplace else y
