import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _block(y, x, mask, NARROW: tl.constexpr):
    v = tl.load(x, mask=mask).to(tl.float32)
    if NARROW:
        # The exact function would be slower than the memory. Near 1 a fast logarithm is off by
        # more than 16 bits tell apart: there its series stands in.
        series = v * (1.0 - v * (0.5 - v * (0.33333334 - v * (0.25 - v * 0.2))))
        value = tl.where(tl.abs(v) < 0.0625, series, libdevice.fast_logf(1.0 + v))
    else:
        value = libdevice.log1p(v)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _log1p(y, x, n, NARROW: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None, NARROW)
    else:
        _block(y + at, x + at, at < n, NARROW)


def log1p(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = out
    if y is None or not y.is_contiguous():
        y = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n:
        _log1p[(triton.cdiv(n, 1024),)](y, x, n, NARROW=dtype.itemsize == 2, BLOCK=1024)
    return y if out is None or y is out else out.copy_(y)
