"""Sleeps in its first calls, so that an impatient clock would make fewer.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed|unmeasured
gains: no
"""

import time

CALLS = []


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    CALLS.append(1)
    if len(CALLS) <= 3:
        time.sleep(0.2)
    return honest_relu(input)
