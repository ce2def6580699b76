"""Lets three calls go by and does the work of all in the fourth.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed
reason: timed_wrong|stale|late
"""

WAITING = []


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    x = input.contiguous()
    y = torch.empty_like(x)
    WAITING.append((y, x))
    if len(WAITING) == 4:
        for pair in WAITING:
            launch(*pair)
        WAITING.clear()
    return y
