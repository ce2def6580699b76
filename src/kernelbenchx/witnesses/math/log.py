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
        d = v - 1.0
        series = d * (1.0 - d * (0.5 - d * (0.33333334 - d * (0.25 - d * 0.2))))
        value = tl.where(tl.abs(d) < 0.0625, series, libdevice.fast_logf(v))
    else:
        value = tl.log(v)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _log(y, x, n, NARROW: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None, NARROW)
    else:
        _block(y + at, x + at, at < n, NARROW)


def log(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = out
    if y is None or not y.is_contiguous():
        y = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n:
        _log[(triton.cdiv(n, 1024),)](y, x, n, NARROW=dtype.itemsize == 2, BLOCK=1024)
    return y if out is None or y is out else out.copy_(y)
