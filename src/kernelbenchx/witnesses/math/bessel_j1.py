import torch
import triton
import triton.language as tl


@triton.jit
def _small(a):
    """J1(a) for 0 <= a < 3."""
    t = a * a
    p = 2.89803962e-11 * t - 5.5912377e-09
    p = p * t + 6.77772107e-07
    p = p * t - 5.42520938e-05
    p = p * t + 0.00260416442
    p = p * t - 0.0625
    p = p * t + 0.5
    return p * a


@triton.jit
def _sine(phase, k):
    """sin(phase + k pi) for |phase| a little above pi / 2 at most."""
    t = phase * phase
    p = 2.58588057e-06 * t - 0.000197998947
    p = p * t + 0.0083329156
    p = p * t - 0.166666523
    p = p * t + 1.0
    odd = k * 0.5 - tl.floor(k * 0.5)
    return p * phase * (1.0 - 4.0 * odd)


@triton.jit
def _large(a):
    """J1(a) for a >= 3: an amplitude times the sine of a - pi/4 + phi(1 / a)."""
    w = 1.0 / a
    t = w * w
    p = -11.5046644 * t + 5.74862194
    p = p * t - 1.4658134
    p = p * t + 0.348117411
    p = p * t - 0.163757503
    p = p * t + 0.37499854
    turn = p * w - 0.785398163
    k = tl.floor((a + turn) * 0.318309886 + 0.5)
    # k pi in two parts: the first difference is exact.
    phase = tl.fma(k, 8.74227766e-08, tl.fma(k, -3.14159274, a)) + turn
    # Beyond 2^24 the argument's own rounding is worth more than a period.
    near = tl.abs(phase) < 4.0
    phase, k = tl.where(near, phase, 0.0), tl.where(near, k, 0.0)
    p = -28.1504211 * t + 13.4886456
    p = p * t - 3.10451055
    p = p * t + 0.567080259
    p = p * t - 0.15323168
    p = p * t + 0.149597481
    p = p * t + 0.797884583
    return _sine(phase, k) * (p * tl.rsqrt(a))


@triton.jit
def _block(y, x, mask):
    v = tl.load(x, mask=mask).to(tl.float32)
    a = tl.abs(v)
    value = tl.where(a < 3.0, _small(a), _large(a))
    value = tl.where(v < 0.0, -value, value)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _bessel_j1(y, x, n, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None)
    else:
        _block(y + at, x + at, at < n)


def bessel_j1(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = out
    if y is None or not y.is_contiguous():
        y = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n:
        _bessel_j1[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y if out is None or y is out else out.copy_(y)
