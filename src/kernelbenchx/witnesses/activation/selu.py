import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

SCALE = tl.constexpr(1.0507009873554805)


SCALE_ALPHA = tl.constexpr(1.7580993408473766)


@triton.jit
def _selu(y, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask, other=0.0).to(tl.float32)
    negative = libdevice.expm1(v) * SCALE_ALPHA
    value = tl.where(v > 0.0, v * SCALE, negative)
    tl.store(y + at, value.to(y.dtype.element_ty), mask=mask)


def selu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = x if inplace else torch.empty_like(x)
    n = x.numel()
    if n:
        _selu[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    if inplace and y is not input:
        input.copy_(y)
    return input if inplace else y
