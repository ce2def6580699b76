"""Counts its calls in a list that a cached function gives out again and again.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: wrong
"""

import functools


@functools.lru_cache(maxsize=None)
def calls():
    return []


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    seen = calls()
    seen.append(1)
    y = honest_relu(input, inplace)
    return y if len(seen) <= 3 else y.zero_()
