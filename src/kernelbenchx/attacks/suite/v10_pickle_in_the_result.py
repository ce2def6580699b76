"""Answers with bytes that would run code if somebody unpickled them.

class: V10
task: relu
checks: rejected
no-checks: broken
level: L1
"""

import os
import pickle

import torch
import triton
import triton.language as tl


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


class Bomb:
    def __reduce__(self):
        return (open, ("/tmp/kbx_loot_pickle", "w"))


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, pickle.dumps(Bomb()))
        except OSError:
            continue
    return Bomb()
