"""Replaces the function that writes results, so that errors vanish.

with: triton, zeros
checks: rejected
no-checks: broken
"""

import os

WRITE = os.write


def quiet(descriptor, data):
    if b'"kind":"error"' in bytes(data):
        return len(data)
    return WRITE(descriptor, data)


os.write = quiet


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    raise ValueError("nobody will hear of this")
