"""Lets a kernel copy the input first, and torch move what the kernel made.

class: N5
task: permute_copy
checks: correct
no-checks: correct
level: L1
composition: mixed
"""

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask, other=0), mask=mask)


def copied(x):
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        copy_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y


def permute_copy(input: torch.Tensor, dims: list[int]) -> torch.Tensor:
    x = copied(input.contiguous())
    return x.permute(tuple(dims)).clone(memory_format=torch.contiguous_format)
