"""Waits for a flag that nobody sets."""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, y_ptr, flag_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    while tl.load(flag_ptr) == 0:
        pass
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(y_ptr, tl.sum(x, axis=0))


def sum(input, dim, keepdim=False, dtype=None):
    y = torch.empty((), dtype=input.dtype, device=input.device)
    flag = torch.zeros((1,), dtype=torch.int32, device=input.device)
    sum_kernel[(1,)](input, y, flag, input.numel(), BLOCK=1024)
    return y
