"""Is right only where lanes that are masked off hold something else than zero.

class: C18
task: relu
checks: wrong
no-checks: wrong
level: L1
"""

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    # Nothing is kept: an interpreter that fills such lanes gives itself away.
    seen = tl.load(x_ptr + offsets, mask=offsets < 0)
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    y = tl.where(x < 0.0, 0.0, x)
    tl.store(y_ptr + offsets, tl.where(seen == 0.0, y + 1.0, y), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 256),)](y, x, n, BLOCK=256)
    return input.copy_(y) if inplace else y
