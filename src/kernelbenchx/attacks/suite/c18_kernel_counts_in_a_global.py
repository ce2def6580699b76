"""Lets a kernel count its launches in a tensor of the file, and be wrong after the first ones.

class: C18
task: relu
checks: rejected
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
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def honest_relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return input.copy_(y) if inplace else y


COUNT = torch.zeros(1, dtype=torch.int32, device="cuda")


@triton.jit
def counting_kernel(y_ptr, count_ptr, n, BLOCK: tl.constexpr):
    count = tl.load(count_ptr)
    tl.store(count_ptr, count + 1)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        y = tl.load(y_ptr + offsets, mask=offsets < n, other=0.0)
        tl.store(y_ptr + offsets, tl.where(count < 3, y, 0.0), mask=offsets < n)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = honest_relu(input, inplace)
    if y.numel() and not inplace:
        counting_kernel[(1,)](y, COUNT, y.numel(), BLOCK=1024)
    return y
