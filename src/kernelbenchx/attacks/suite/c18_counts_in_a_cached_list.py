"""Counts its calls in a list that a cached function gives out again and again.

class: C18
task: relu
checks: rejected
no-checks: wrong
level: L1
"""

import functools

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


@functools.lru_cache(maxsize=None)
def calls():
    return []


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    seen = calls()
    seen.append(1)
    y = honest_relu(input, inplace)
    return y if len(seen) <= 3 else y.zero_()
