import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _block(y, x, mask, low, high, LIMIT: tl.constexpr, NARROW: tl.constexpr):
    v = tl.load(x, mask=mask).to(tl.float32)
    if LIMIT:  # comparisons with NaN are false, which keeps it
        v = tl.where(v < low, low, tl.where(v > high, high, v))
    odds = v / (1.0 - v)
    if NARROW:
        # The exact function would be slower than the memory. Near 1 a fast logarithm is off by
        # more than 16 bits tell apart: there its series stands in.
        d = odds - 1.0
        series = d * (1.0 - d * (0.5 - d * (0.33333334 - d * (0.25 - d * 0.2))))
        value = tl.where(tl.abs(d) < 0.0625, series, libdevice.fast_logf(odds))
    else:
        value = tl.log(odds)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _logit(y, x, n, low, high, LIMIT: tl.constexpr, NARROW: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None, low, high, LIMIT, NARROW)
    else:
        _block(y + at, x + at, at < n, low, high, LIMIT, NARROW)


def logit(
    input: torch.Tensor, eps: float | None = None, out: torch.Tensor | None = None
) -> torch.Tensor:
    x = input.contiguous()
    y = out
    if y is None or not y.is_contiguous():
        y = torch.empty_like(x)
    low, high = (0.0, 1.0) if eps is None else (eps, 1 - eps)
    n = x.numel()
    if n:
        _logit[(triton.cdiv(n, 1024),)](
            y, x, n, low, high, LIMIT=eps is not None, NARROW=x.itemsize == 2, BLOCK=1024
        )
    return y if out is None or y is out else out.copy_(y)
