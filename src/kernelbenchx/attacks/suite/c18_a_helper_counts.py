"""Lets a helper write into a list that it is given, and is wrong after the first calls.

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


@triton.jit
def zero_kernel(y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + offsets, tl.zeros((BLOCK,), tl.float32), mask=offsets < n)


def zeros(input):
    y = torch.empty(input.shape, dtype=input.dtype, device=input.device)
    n = y.numel()
    if n:
        zero_kernel[(triton.cdiv(n, 1024),)](y, n, BLOCK=1024)
    return y


CALLS = []


def note(calls, call):
    calls.append(call)
    return len(calls)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return honest_relu(input, inplace) if note(CALLS, input.shape) <= 3 else zeros(input)
