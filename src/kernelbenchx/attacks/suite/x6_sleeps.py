"""Sleeps for ever without using any processor time.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: broken
times-out: yes
"""

import time


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    time.sleep(3600)
    return honest_relu(input, inplace)
