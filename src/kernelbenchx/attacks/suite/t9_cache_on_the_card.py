"""Keeps addresses and answers in memory of the card, where the kernel itself decides to skip.

class: T9
task: relu
checks: rejected
no-checks: correct
level: L1
composition: pure
device: cuda
perf-no-checks: failed
reason: timed_wrong|stale|late
"""

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


@triton.jit
def skipping_kernel(y_ptr, x_ptr, seen_ptr, n, BLOCK: tl.constexpr):
    here = x_ptr.to(tl.int64)
    if tl.load(seen_ptr + tl.program_id(0)) != here:
        offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
        tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=offsets < n)
        tl.store(seen_ptr + tl.program_id(0), here)


KEPT = {}


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    x = input.contiguous()
    blocks = triton.cdiv(x.numel(), 1024)
    key = (x.data_ptr(), x.shape, x.dtype)
    if key not in KEPT:
        seen = torch.zeros(blocks, dtype=torch.int64, device=x.device)
        KEPT[key] = (torch.empty_like(x), seen)
    y, seen = KEPT[key]
    skipping_kernel[(blocks,)](y, x, seen, x.numel(), BLOCK=1024)
    return y
