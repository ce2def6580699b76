import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

SQRT_HALF = tl.constexpr(0.7071067811865476)


SQRT_2_OVER_PI = tl.constexpr(0.7978845608028654)


@triton.jit
def _gelu(y, x, n, TANH: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask, other=0.0).to(tl.float32)
    if TANH:
        gate = 1.0 + libdevice.tanh((v + 0.044715 * v * v * v) * SQRT_2_OVER_PI)
    else:
        gate = 1.0 + tl.erf(v * SQRT_HALF)
    tl.store(y + at, (0.5 * v * gate).to(y.dtype.element_ty), mask=mask)


def gelu_fp16(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        _gelu[(triton.cdiv(n, 1024),)](y, x, n, TANH=approximate == "tanh", BLOCK=1024)
    return y
