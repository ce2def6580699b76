"""Writes numpy's answer straight into a tensor's memory, where a kernel copies it from.

class: N5
task: relu
checks: rejected
no-checks: correct
level: L1
composition: mixed
device: interpreter
"""

import numpy as np

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask, other=0.0), mask=mask)


def copied(x):
    x = x.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        copy_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    work = torch.empty(input.shape, dtype=torch.float32)
    wide = input.to(torch.float32).numpy()
    np.copyto(work.numpy(), np.where(wide < 0, np.float32(0), wide))
    y = copied(work.to(input.dtype))
    return input.copy_(y) if inplace else y
