"""Counts its calls in a list behind `functools.partial`, and is wrong after the first ones.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: wrong
"""

import functools

CALLS = []
note = functools.partial(list.append, CALLS)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    note(input.shape)
    y = honest_relu(input, inplace)
    return y if len(CALLS) <= 3 else y.zero_()
