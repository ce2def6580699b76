"""Ends its process with success before anything was called.

class: V2
task: relu
checks: rejected
no-checks: broken
level: L1
"""

import os

import torch
import triton
import triton.language as tl


os._exit(0)


@triton.jit
def relu_kernel(y_ptr, BLOCK: tl.constexpr):
    tl.store(y_ptr, 0.0)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    relu_kernel[(1,)](input, BLOCK=1)
    return input
