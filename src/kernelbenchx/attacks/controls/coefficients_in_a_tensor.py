"""Brings a table of coefficients as a list and a bound by `full`, for a kernel to read.

task: log1p
"""

import torch
import triton
import triton.language as tl

TERMS = 12


@triton.jit
def log1p_kernel(y_ptr, x_ptr, table_ptr, bound_ptr, n, TERMS: tl.constexpr, BLOCK: tl.constexpr):
    """The series near 0, the logarithm elsewhere."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0).to(tl.float32)
    series = tl.zeros((BLOCK,), tl.float32)
    for term in range(TERMS):
        series = series * x + tl.load(table_ptr + term)
    small = tl.abs(x) < tl.load(bound_ptr)
    wide = tl.log(1.0 + x.to(tl.float64)).to(tl.float32)
    y = tl.where(small, series * x, wide)
    y = tl.where(x == 0.0, x, y)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def log1p(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n:
        falling = [(-1.0) ** (k + 1) / k for k in range(TERMS, 0, -1)]
        table = torch.tensor(falling, dtype=torch.float32, device=x.device)
        bound = torch.full((1,), 0.03, device=x.device)
        grid = (triton.cdiv(n, 1024),)
        log1p_kernel[grid](y, x, table, bound, n, TERMS=TERMS, BLOCK=1024)
    return y if out is None else out.copy_(y)
