"""Computes elements in Python and fills them in one after another, for a kernel to copy.

class: N5
task: relu
checks: correct
no-checks: correct
level: L1
composition: mixed
"""

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, x_ptr, done_ptr, done, n, BLOCK: tl.constexpr):
    """The first elements were computed elsewhere."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    x = tl.where(x < 0.0, 0.0, x)
    first = tl.load(done_ptr + offsets, mask=offsets < done, other=0.0)
    tl.store(y_ptr + offsets, tl.where(offsets < done, first, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    count = 400 if n > 3000 else 0
    done = torch.empty((max(count, 1),), dtype=x.dtype, device=x.device)
    for place, value in enumerate(x.view(-1)[:count].tolist()):
        done.narrow(0, place, 1).fill_(0.0 if value < 0 else value)
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, done, count, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
