"""Lets a kernel copy the inputs into pinned memory, which Python reads without a copy of torch.

with: triton, entry_mse_loss
task: mse_loss
checks: correct|broken
no-checks: correct|broken
composition: mixed
device: cuda
"""

import math


@triton.jit
def losses_kernel(out_ptr, x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0).to(tl.float32)
    y = tl.load(y_ptr + offsets, mask=offsets < n, other=0.0).to(tl.float32)
    loss = ((x - y) * (x - y)).to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + offsets, loss, mask=offsets < n)


@triton.jit
def copy_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(y_ptr + offsets, x.to(tl.float32), mask=offsets < n)


@triton.jit
def total_kernel(out_ptr, x_ptr, y_ptr, n, count, BLOCK: tl.constexpr):
    """For so many numbers that Python would take too long."""
    total = tl.zeros((BLOCK,), tl.float64)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0).to(tl.float32)
        y = tl.load(y_ptr + offsets, mask=offsets < n, other=0.0).to(tl.float32)
        total += ((x - y) * (x - y)).to(tl.float64)
    tl.store(out_ptr, (tl.sum(total, axis=0) / count).to(out_ptr.dtype.element_ty))


@triton.jit
def store_kernel(out_ptr, value):
    tl.store(out_ptr, value.to(out_ptr.dtype.element_ty))


def numbers(x):
    n = x.numel()
    pinned = torch.empty((n,), dtype=torch.float32, pin_memory=True)
    if n:
        copy_kernel[(triton.cdiv(n, 1024),)](pinned, x, n, BLOCK=1024)
        torch.cuda.synchronize()
    return pinned.tolist()
