import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _positive(a):
    """ln Gamma(a) and ln(a) for a >= 0."""
    tiny = a < 1.0e-30  # the fast logarithm takes subnormal numbers for zeros
    log2 = libdevice.fast_log2f(tl.where(tiny, a * 18446744073709551616.0, a))
    ln = (log2 - tl.where(tiny, 64.0, 0.0)) * 0.693147182
    y = tl.where(a < 0.5, a + 1.0, a)
    # One reciprocal: of y + c below 3, where a polynomial in (y - c) / (y + c) is short, else of y.
    w = 1.0 / tl.where(y < 3.0, y + 1.22474492, y)
    v = 1.0 - 2.44948983 * w
    p = 0.0659971237 * v - 0.0840658098
    p = p * v + 0.0468424559
    p = p * v - 0.0644559711
    p = p * v + 0.064766176
    p = p * v - 0.0978551358
    p = p * v + 0.0864286125
    p = p * v - 0.1594605
    p = p * v + 0.129786804
    p = p * v - 0.464043677
    p = p * v + 0.528838754
    small = p * ((y - 1.0) * (y - 2.0)) - tl.where(a < 0.5, ln, 0.0)
    z = w * w
    s = 0.000696713978 * z - 0.00277272682
    s = s * z + 0.0833332688
    stirling = (a - 0.5) * (ln - 1.0) + (s * w + 0.418938533)
    return tl.where(a < 3.0, small, stirling), ln


@triton.jit
def _reflected(a, positive, ln):
    """ln|Gamma(-a)| for a > 0: ln(a sin(pi a) / pi) is ln(a a p) near 0."""
    r = tl.abs(a - tl.floor(a + 0.5))
    t = r * r
    p = 0.024688201 * t - 0.190426365
    p = p * t + 0.811712384
    p = p * t - 1.6449331
    p = p * t + 1.0
    near = a < 0.5
    # Between -3 and -2 the two logarithms cancel: this one must be accurate.
    other = tl.log2(tl.where(near, p, a * (p * r))) * 0.693147182
    value = -other - positive - tl.where(near, 2.0 * ln, 0.0)
    return tl.where(r > 0.0, value, float("inf"))


@triton.jit
def _block(y, x, mask):
    v = tl.load(x, mask=mask).to(tl.float32)
    a = tl.abs(v)
    value, ln = _positive(a)
    if tl.max((v < 0.0).to(tl.int32), axis=0) > 0:  # most blocks can leave it out
        value = tl.where(v < 0.0, _reflected(a, value, ln), value)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _gammaln(y, x, n, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None)
    else:
        _block(y + at, x + at, at < n)


def gammaln(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = out
    if y is None or not y.is_contiguous():
        y = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n:
        _gammaln[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y if out is None or y is out else out.copy_(y)
