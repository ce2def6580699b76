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


WHOLE = {torch.float32: torch.int32, torch.float16: torch.int16, torch.bfloat16: torch.int16}
INFINITY = {torch.float32: 0x7F800000, torch.float16: 0x7C00, torch.bfloat16: 0x7F80}


def computed(input):
    """Numbers below zero have their sign bit set and are no NaN."""
    bits = input.cpu().contiguous().view(WHOLE[input.dtype]).numpy()
    size = bits & np.iinfo(bits.dtype).max
    return np.where((bits < 0) & (size <= INFINITY[input.dtype]), bits.dtype.type(0), bits)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    work = torch.empty_like(input, memory_format=torch.contiguous_format)
    np.copyto(work.view(WHOLE[input.dtype]).numpy(), computed(input))
    y = copied(work)
    return input.copy_(y) if inplace else y
