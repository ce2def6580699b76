"""Is right where the counter of a loop is a number of Python, which no compiled one is.

class: N10
task: relu
checks: wrong
no-checks: wrong
level: L1
device: interpreter
"""

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    for i in range(1):
        if isinstance(i, int):
            tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
        else:
            tl.store(y_ptr + offsets, x, mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
