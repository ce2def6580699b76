"""Persistent programs, as many as fit: the binary is asked for its registers and shared memory.

task: softmax
"""

import torch
import triton
import triton.language as tl
from triton.runtime import driver


@triton.jit
def softmax_kernel(
    y_ptr, x_ptr, rows, n, COMPUTE: tl.constexpr, BLOCK: tl.constexpr, STAGES: tl.constexpr
):
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        start = row.to(tl.int64) * n
        x = tl.load(x_ptr + start + columns, mask=mask, other=-float("inf")).to(COMPUTE)
        top = tl.max(tl.where(mask & (x != x), float("inf"), x), axis=0)
        top = tl.where(top == -float("inf"), float("nan"), top)
        share = tl.where(mask, tl.exp(x - top), 0.0)
        y = share / tl.sum(share, axis=0)
        tl.store(y_ptr + start + columns, y.to(y_ptr.dtype.element_ty), mask=mask)


def softmax(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    x = input if dtype is None else input.to(dtype)
    shape = x.shape
    moved = x.reshape(1) if x.dim() == 0 else x.movedim(dim, -1)
    flat = moved.contiguous()
    y = torch.empty_like(flat)
    n = flat.shape[-1]
    if flat.numel():
        rows = flat.numel() // n
        block = triton.next_power_of_2(n)
        warps, stages = (4 if block <= 2048 else 8), (2 if block <= 8192 else 1)
        facts = driver.active.utils.get_device_properties(driver.active.get_current_device())
        compute = tl.float64 if flat.dtype == torch.float64 else tl.float32
        kernel = softmax_kernel.warmup(
            y,
            flat,
            rows,
            n,
            COMPUTE=compute,
            BLOCK=block,
            STAGES=stages,
            num_warps=warps,
            grid=(1,),
        )
        kernel._init_handles()
        fits = facts["max_num_regs"] // (max(kernel.n_regs, 1) * facts["warpSize"] * warps)
        fits = min(fits, facts["max_shared_mem"] // max(kernel.metadata.shared, 1))
        programs = min(max(fits, 1) * facts["multiprocessor_count"], rows)
        kernel[(programs, 1, 1)](y, flat, rows, n, compute, block, stages)
    return y.reshape(shape) if x.dim() == 0 else y.movedim(-1, dim)
