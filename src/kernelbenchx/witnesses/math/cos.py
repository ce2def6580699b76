import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _near_cos(x):
    """For |x| <= 32768, off by 1e-8: -sin(r) or sin(r), where r = x - (k + 1/2) pi."""
    k = tl.floor(x * 0.31830987)
    r = tl.fma(-(k + 0.5), 3.1415927, x)  # exact: both products have few bits
    r = tl.fma(-(k + 0.5), -8.742278e-08, r)
    s = r * r
    p = 2.6030335e-06 * s - 0.00019808123
    p = p * s + 0.0083330384
    p = p * s - 0.16666657
    sine = r + r * s * p
    return tl.where((k.to(tl.int32) & 1) == 1, sine, -sine)


@triton.jit
def _block(y, x, mask, NARROW: tl.constexpr):
    v = tl.load(x, mask=mask).to(tl.float32)
    if NARROW:
        # The exact function would be slower than the memory. One large value of the block calls it.
        if tl.max(tl.abs(v), axis=0) <= 32768.0:
            value = _near_cos(v)
        else:
            value = libdevice.cos(v)
    else:
        value = libdevice.cos(v)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _cos(y, x, n, NARROW: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None, NARROW)
    else:
        _block(y + at, x + at, at < n, NARROW)


def cos(input: torch.Tensor, /) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n:
        _cos[(triton.cdiv(n, 1024),)](y, x, n, NARROW=dtype.itemsize == 2, BLOCK=1024)
    return y
