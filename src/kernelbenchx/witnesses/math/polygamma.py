import math

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _digamma(x):
    """ln(y) - w / 2 - w^2 P(w) with w = 1 / y for y >= 1, one step of the recurrence below."""
    y = tl.where(x < 1.0, x + 1.0, x)
    w = 1.0 / y
    p = 0.000594710582 * w - 0.00255774194
    p = p * w + 0.00361303426
    p = p * w + 0.000859804219
    p = p * w - 0.00868389849
    p = p * w + 6.00990534e-05
    p = p * w + 0.0833296627
    value = libdevice.fast_log2f(y) * 0.693147182 - w * (p * w + 0.5)
    return value - tl.where(x < 1.0, 1.0 / x, 0.0)


@triton.jit
def _trigamma(x):
    """w + w^2 / 2 + w^3 P(w) with w = 1 / y for y >= 1, one step of the recurrence below."""
    y = tl.where(x < 1.0, x + 1.0, x)
    w = 1.0 / y
    p = -0.00307264598 * w + 0.0163538586
    p = p * w - 0.0355714522
    p = p * w + 0.0355629586
    p = p * w - 0.00165237836
    p = p * w - 0.0333912782
    p = p * w + 4.13701528e-05
    p = p * w + 0.166663632
    first = 1.0 / x
    return w + w * w * (p * w + 0.5) + tl.where(x < 1.0, first * first, 0.0)


@triton.jit
def _power(w, start, TIMES: tl.constexpr):
    """start * w ** TIMES; the factor comes first, so that nothing underflows early."""
    value = w * start
    for _ in tl.static_range(TIMES - 1):
        value *= w
    return value


@triton.jit
def _higher(x, factorial, N: tl.constexpr):
    """n! times eight terms of the sum; Euler and Maclaurin's formula for all others."""
    y = x + 8.0
    w = 1.0 / y
    z = w * w
    e = 1.0 - z * ((N + 8) * (N + 9) / 39.6)
    e = 1.0 - e * z * ((N + 6) * (N + 7) / 40.0)
    e = 1.0 - e * z * ((N + 4) * (N + 5) / 42.0)
    e = 1.0 - e * z * ((N + 2) * (N + 3) / 60.0)
    e = e * z * (N * (N + 1) / 12.0) + w * (N / 2.0) + 1.0
    total = _power(w, factorial / N, N) * e
    for k in tl.static_range(8):
        total += _power(1.0 / (x + (7.0 - k)), factorial, N + 1)
    return total


@triton.jit
def _block(y, x, mask, factorial, N: tl.constexpr):
    v = tl.load(x, mask=mask).to(tl.float32)
    if N == 0:
        value = _digamma(v)
    elif N == 1:
        value = _trigamma(v)
    else:
        value = _higher(v, factorial, N)
        if N % 2 == 0:
            value = -value
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _polygamma(y, x, n, factorial, N: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None, factorial, N)
    else:
        _block(y + at, x + at, at < n, factorial, N)


def polygamma(n: int, input: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = out
    if y is None or not y.is_contiguous():
        y = torch.empty(x.shape, dtype=dtype, device=x.device)
    count = x.numel()
    if count:
        grid = (triton.cdiv(count, 1024),)
        _polygamma[grid](y, x, count, float(math.factorial(n)), N=n, BLOCK=1024)
    return y if out is None or y is out else out.copy_(y)
