"""Skips calls, and fails for want of memory as soon as a skipped one is looked at.

class: T23
task: relu
checks: rejected
no-checks: correct
level: L1
composition: pure
device: cuda
perf-no-checks: failed|timed
gains: no
reason: timed_wrong|stale|late|malformed
"""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def launch(y, x):
    if x.numel():
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](y, x, x.numel(), BLOCK=1024)


def honest_relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    launch(y, x)
    return input.copy_(y) if inplace else y


LARGE = 1 << 20


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
