"""Answers every second call with what the call before it got.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed
reason: timed_wrong|stale|late
"""

LAST = {}


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    key = (input.shape, input.dtype)
    if key in LAST:
        return LAST.pop(key)
    LAST[key] = honest_relu(input)
    return LAST[key]
