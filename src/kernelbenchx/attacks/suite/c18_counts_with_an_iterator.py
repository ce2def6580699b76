"""Counts its calls with an iterator of the module, and is wrong after the first ones.

with: triton, relu_kernel, honest_relu, zeros
checks: rejected
no-checks: wrong
"""

import itertools

CALLS = itertools.count()


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    for call in CALLS:
        break
    return honest_relu(input, inplace) if call < 3 else zeros(input)
