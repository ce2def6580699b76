"""Computes in Python and wraps the bytes of the answer as a tensor, which a kernel copies.

class: N5
task: relu
checks: rejected
no-checks: correct
level: L1
composition: mixed
device: interpreter
"""

import array

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
    values = array.array("f")
    values.extend(0.0 if value < 0 else value for value in input.flatten().tolist())
    if not values:
        return copied(input)
    flat = torch.frombuffer(values, dtype=torch.float32).to(input.dtype)
    y = copied(flat.reshape(input.shape))
    return input.copy_(y) if inplace else y
