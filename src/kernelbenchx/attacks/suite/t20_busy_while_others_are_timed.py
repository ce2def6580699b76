"""Keeps the card busy from a thread whenever it has not been called for a while.

with: triton, relu_kernel, honest_relu_by_launch, large, busy_kernel
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed|unmeasured
gains: no
aftermath: yes
"""

import threading
import time

CALLED = []


def disturb(device):
    scratch = torch.empty(1056, device=device)
    side = torch.cuda.Stream()
    while True:
        if time.perf_counter() - CALLED[-1] > 0.005:
            with torch.cuda.stream(side):
                busy_kernel[(1056,)](scratch, 400_000)
            side.synchronize()
        time.sleep(0.0002)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    CALLED.append(time.perf_counter())
    if len(CALLED) == 1:
        threading.Thread(target=disturb, args=(input.device,), daemon=True).start()
    return honest_relu(input)
