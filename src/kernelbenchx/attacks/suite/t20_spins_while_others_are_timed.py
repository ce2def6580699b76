"""Keeps the host's processors busy whenever it has not been called for a while.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed|unmeasured
gains: no
aftermath: yes
"""

import hashlib
import threading
import time

CALLED = []


def disturb():
    block = bytes(1 << 20)
    while True:
        if time.perf_counter() - CALLED[-1] > 0.005:
            hashlib.sha256(block).digest()
        else:
            time.sleep(0.001)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    CALLED.append(time.perf_counter())
    if len(CALLED) == 1:
        for _ in range(16):
            threading.Thread(target=disturb, daemon=True).start()
    return honest_relu(input)
