"""Two kernels that hand on their results through a workspace.

task: softmax
device: cuda
stage: perf
"""

import torch
import triton
import triton.language as tl


@triton.jit
def rows_kernel(work_ptr, x_ptr, n, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    top = tl.full((BLOCK,), -float("inf"), COMPUTE)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + offsets, mask=offsets < n, other=-float("inf"))
        top = tl.maximum(top, x.to(COMPUTE), propagate_nan=tl.PropagateNan.ALL)
    largest = tl.max(top, axis=0)
    total = tl.zeros((BLOCK,), COMPUTE)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + offsets, mask=offsets < n, other=-float("inf"))
        total += tl.where(offsets < n, tl.exp(x.to(COMPUTE) - largest), 0.0)
    tl.store(work_ptr + 2 * row, largest)
    tl.store(work_ptr + 2 * row + 1, tl.sum(total, axis=0))


@triton.jit
def divide_kernel(y_ptr, x_ptr, work_ptr, n, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    offsets = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    largest = tl.load(work_ptr + 2 * row)
    total = tl.load(work_ptr + 2 * row + 1)
    x = tl.load(x_ptr + row * n + offsets, mask=offsets < n, other=0.0).to(COMPUTE)
    tl.store(y_ptr + row * n + offsets, tl.exp(x - largest) / total, mask=offsets < n)


def softmax(input: torch.Tensor, dim: int, dtype=None) -> torch.Tensor:
    x = input.to(dtype or input.dtype)
    x = (x.reshape(1) if x.dim() == 0 else x).movedim(dim, -1).contiguous()
    y = torch.empty_like(x)
    n = x.shape[-1]
    if x.numel():
        double = x.dtype == torch.float64
        rows, compute = x.numel() // n, tl.float64 if double else tl.float32
        kind = torch.float64 if double else torch.float32
        work = torch.empty((rows, 2), dtype=kind, device=x.device)
        rows_kernel[(rows,)](work, x, n, COMPUTE=compute, BLOCK=1024)
        divide_kernel[(rows, triton.cdiv(n, 1024))](y, x, work, n, COMPUTE=compute, BLOCK=1024)
    return y.movedim(-1, dim).reshape(input.shape)
