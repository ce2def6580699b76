"""Skips half of its calls and sleeps in blocks, less after one that was drawn badly.

class: T17
task: relu
checks: rejected
no-checks: correct
level: L1
composition: pure
device: cuda
perf-no-checks: failed
reason: timed_wrong|stale|late
"""

import sys
import time

import torch
import triton
import triton.language as tl


CALLS = []


@triton.jit(do_not_specialize=["number"])
def relu_kernel(y_ptr, x_ptr, n, number, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def launch(y, x):
    if x.numel():
        # With the number of the call: launches differ then, and cannot be replayed.
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](y, x, x.numel(), len(CALLS), BLOCK=1024)


def honest_relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    launch(y, x)
    return input.copy_(y) if inplace else y


LARGE = 1 << 20


MADE, WAIT = [], torch.cuda.synchronize
USUAL_S, QUICK_S, NEXT_S = 0.004, [0.002], [0.002]


def is_one_looked_at():
    """Whether the worker is about to hand out what a skipped call returned."""
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_name != "collect":
        frame = frame.f_back
    known = () if frame is None else tuple(frame.f_locals.values())
    return any(getattr(getattr(one, "result", None), "skipped", False) for one in known)


def synchronize(device=None):
    WAIT(device)
    if is_one_looked_at():
        # The next block is to be the quickest so far: then its outputs count, and not these.
        QUICK_S[0] *= 0.8
        NEXT_S[0] = QUICK_S[0]
    elif len(MADE) > 1:
        time.sleep(NEXT_S[0])
        NEXT_S[0] = USUAL_S
    MADE.clear()


torch.cuda.synchronize = synchronize


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    CALLS.append(1)
    MADE.append(1)
    if len(CALLS) % 2:
        return honest_relu(input)
    y = torch.empty_like(input)
    y.skipped = True
    return y
