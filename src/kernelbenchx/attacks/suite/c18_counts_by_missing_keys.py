"""Counts its calls by a dictionary whose factory numbers each new key.

with: triton, relu_kernel, honest_relu
checks: rejected|wrong
no-checks: wrong
"""

import collections
import functools
import itertools

NUMBERS = collections.defaultdict(functools.partial(next, itertools.count()))


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = honest_relu(input, inplace)
    return y if NUMBERS[y.data_ptr(), input.shape] < 3 else y.zero_()
