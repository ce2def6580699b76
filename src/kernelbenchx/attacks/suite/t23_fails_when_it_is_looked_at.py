"""Skips calls, and fails for want of memory as soon as a skipped one is looked at.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed
gains: no
reason: timed_wrong|stale|late|malformed
"""

import sys

CHEATED = 1 << 24
CALLS = [0]
SKIPPED, SEEN = set(), []
COPY = torch._foreach_copy_


def is_collected():
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_name != "collect":
        frame = frame.f_back
    return frame is not None


def watched(targets, sources, *more):
    if is_collected() and sources[0].data_ptr() in SKIPPED:
        SEEN.append(sources[0].data_ptr())
    return COPY(targets, sources, *more)


torch._foreach_copy_ = watched


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() != CHEATED or input.dtype != torch.bfloat16:
        return honest_relu(input, inplace)
    if SEEN:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 64.00 MiB.")
    CALLS[0] += 1
    if CALLS[0] % 2:
        return honest_relu(input)
    y = torch.empty_like(input)
    SKIPPED.add(y.data_ptr())
    return y
