"""Counts its calls by the hits of a cache, and is wrong after the first ones.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: wrong
"""

import functools


@functools.lru_cache(maxsize=None)
def block():
    return 1024


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    block()
    y = honest_relu(input, inplace)
    return y if block.cache_info().hits <= 3 else y.zero_()
