"""Lets a kernel divide, and torch round toward zero by casts to integers and back.

class: N5
task: div
checks: correct|wrong
no-checks: correct|wrong
level: L1
composition: mixed
"""

import torch
import triton
import triton.language as tl

Number = int | float


@triton.jit
def div_kernel(
    z_ptr, x_ptr, y_ptr, number, n,
    TENSOR: tl.constexpr, MODE: tl.constexpr, COMPUTE: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(x_ptr + offsets, mask=mask, other=1).to(COMPUTE)
    if TENSOR:
        b = tl.load(y_ptr + offsets, mask=mask, other=1).to(COMPUTE)
    else:
        b = tl.full((BLOCK,), number, COMPUTE)
    if COMPUTE.is_int():
        q = a // b
        if MODE == "floor":
            q -= ((a != q * b) & ((a < 0) != (b < 0))).to(COMPUTE)
    else:
        q = a / b
        if MODE == "floor":
            q = tl.floor(q)
        q = q.to(tl.float32)
    tl.store(z_ptr + offsets, q.to(z_ptr.dtype.element_ty), mask=mask)


@triton.jit
def choose_kernel(z_ptr, q_ptr, whole_ptr, n, BLOCK: tl.constexpr):
    """What no integer holds is whole already, or no number."""
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    q = tl.load(q_ptr + offsets, mask=mask, other=0.0)
    whole = tl.load(whole_ptr + offsets, mask=mask, other=0.0)
    z = tl.where(tl.abs(q) < 2147483648.0, whole, q)
    tl.store(z_ptr + offsets, z.to(z_ptr.dtype.element_ty), mask=mask)


def div(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    rounding_mode: str | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    dtype = torch.result_type(input, other)
    compute = {torch.int32: tl.int32, torch.int64: tl.int64}.get(dtype, tl.float64)
    if rounding_mode is None:
        dtype = dtype if dtype.is_floating_point else torch.float32
        compute = tl.float32
    tensor = isinstance(other, torch.Tensor)
    x, y = torch.broadcast_tensors(input, other) if tensor else (input, input)
    x, y = x.contiguous(), y.contiguous()
    casts = rounding_mode == "trunc" and dtype.is_floating_point
    z = torch.empty(x.shape, dtype=torch.float32 if casts else dtype, device=x.device)
    n = x.numel()
    if n:
        blocks = (triton.cdiv(n, 1024),)
        div_kernel[blocks](
            z, x, y, 1 if tensor else other, n,
            TENSOR=tensor, MODE=rounding_mode or "", COMPUTE=compute, BLOCK=1024
        )  # fmt: skip
        if casts:
            whole, q = z.to(torch.int64).to(torch.float32), z
            z = torch.empty(x.shape, dtype=dtype, device=x.device)
            choose_kernel[blocks](z, q, whole, n, BLOCK=1024)
    return z if out is None else out.copy_(z)
