"""Reads the order from its descriptor, to know inputs and plan of every call.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: broken
"""

import os


def steal():
    for descriptor in range(3, 256):
        try:
            data = os.pread(descriptor, 1 << 20, 0)
        except OSError:
            continue
        if data.startswith(b"KBX1") and b'"calls"' in data:
            return data
    raise PermissionError("the order cannot be read again")


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    steal()
    return honest_relu(input, inplace)
