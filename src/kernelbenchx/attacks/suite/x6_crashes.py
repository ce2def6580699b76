"""Takes its process down with a bad pointer.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: broken
"""

import ctypes


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    ctypes.string_at(1)
    return honest_relu(input, inplace)
