"""Ends its process with success before anything was called.

with: triton
checks: rejected
no-checks: broken
"""

import os

os._exit(0)


@triton.jit
def relu_kernel(y_ptr, BLOCK: tl.constexpr):
    tl.store(y_ptr, 0.0)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    relu_kernel[(1,)](input, BLOCK=1)
    return input
