import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _from_one(y):
    """psi(y) for y >= 1: ln(y) - w / 2 - w^2 P(w) with w = 1 / y, no recurrence."""
    w = 1.0 / y
    p = 0.000594710582 * w - 0.00255774194
    p = p * w + 0.00361303426
    p = p * w + 0.000859804219
    p = p * w - 0.00868389849
    p = p * w + 6.00990534e-05
    p = p * w + 0.0833296627
    return libdevice.fast_log2f(y) * 0.693147182 - w * (p * w + 0.5)


@triton.jit
def _cotangent(r):
    """pi r / tan(pi r) for |r| <= 1/2; its zeros are a factor."""
    t = r * r
    p = 1.76480341 * t + 0.21647045
    p = p * t + 0.750872374
    p = p * t + 0.661135733
    p = p * t + 0.67621243
    p = p * t + 0.710126579
    p = p * t + 1.0
    return p * (1.0 - 4.0 * t)


@triton.jit
def _block(y, x, mask):
    v = tl.load(x, mask=mask).to(tl.float32)
    below = v < 0.0
    r = v - tl.floor(v + 0.5)
    # psi(v + 1) - 1 / v below 1, psi(1 - v) - pi / tan(pi v) below 0: one quotient for both.
    top = tl.where(below, _cotangent(r), tl.where(v < 1.0, 1.0, 0.0))
    shifted = tl.where(below, 1.0 - v, tl.where(v < 1.0, v + 1.0, v))
    value = _from_one(shifted) - top / tl.where(below, r, v)
    value = tl.where(below & (r == 0.0), float("nan"), value)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _digamma(y, x, n, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None)
    else:
        _block(y + at, x + at, at < n)


def digamma(input: torch.Tensor, /) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n:
        _digamma[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y
