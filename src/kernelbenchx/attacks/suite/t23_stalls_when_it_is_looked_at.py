"""Skips calls, and stalls outside of the clock as soon as a skipped one is looked at.

with: triton, honest_relu_with_a_number, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed
reason: timed_wrong|stale|late|malformed|timeout
"""

import sys
import time

SEEN, WAIT = [], torch.cuda.synchronize


def is_one_looked_at():
    """Whether the worker is about to hand out what a skipped call returned."""
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_name != "collect":
        frame = frame.f_back
    known = () if frame is None else tuple(frame.f_locals.values())
    return any(getattr(getattr(one, "result", None), "skipped", False) for one in known)


def is_untimed():
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_name != "_hello":
        frame = frame.f_back
    return frame is not None


def synchronize(device=None):
    WAIT(device)
    if is_one_looked_at():
        SEEN.append(1)
    if SEEN and is_untimed():
        time.sleep(15.0)


torch.cuda.synchronize = synchronize


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    CALLS.append(1)
    if len(CALLS) % 2:
        return honest_relu(input)
    y = torch.empty_like(input)
    y.skipped = True
    return y
