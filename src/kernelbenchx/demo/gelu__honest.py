"""A plain elementwise kernel: one block per program, masked tail, float32 inside."""

import torch
import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, TANH: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    if TANH:
        u = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        # tanh(u) = 1 - 2 / (1 + exp(2u)), which does not overflow
        gate = 2.0 - 2.0 / (1.0 + tl.exp(2.0 * u))
    else:
        gate = 1.0 + tl.erf(x * 0.7071067811865476)
    y = 0.5 * x * gate
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def gelu(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        gelu_kernel[(triton.cdiv(n, 1024),)](x, y, n, TANH=approximate == "tanh", BLOCK=1024)
    return y
