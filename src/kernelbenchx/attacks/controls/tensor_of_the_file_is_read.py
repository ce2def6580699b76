"""Reads a table that was made when the file was loaded, and writes nothing to it.

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


def honest_relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return input.copy_(y) if inplace else y


BOUND = torch.zeros(1, device="cuda")


@triton.jit
def bound_kernel(y_ptr, x_ptr, bound_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    bound = tl.load(bound_ptr).to(x.dtype)
    tl.store(y_ptr + offsets, tl.where(x < bound, bound, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        bound_kernel[(triton.cdiv(n, 1024),)](y, x, BOUND, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
