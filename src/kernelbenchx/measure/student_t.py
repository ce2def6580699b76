"""Quantiles of Student's distribution, for degrees of freedom that need not be whole."""

import math
from functools import lru_cache

_MOST = 1000.0
"""More degrees of freedom than this count as this many; the quantile is then a little too wide."""
_TINY = 1e-300


def quantile(outside: float, freedom: float) -> float:
    """The t with a share `outside` of the distribution beyond -t and t together.

    Degrees of freedom are rounded down, which never makes an interval narrower.
    """
    if not 0.0 < outside < 1.0:
        raise ValueError(f"a share between 0 and 1 is needed, not {outside}")
    if not freedom >= 1.0:
        raise ValueError(f"at least one degree of freedom is needed, not {freedom}")
    few = min(freedom, _MOST)
    return _quantile(outside, math.floor(few * 10) / 10 if few < 30 else float(math.floor(few)))


@lru_cache(maxsize=4096)
def _quantile(outside: float, freedom: float) -> float:
    low, high = 0.0, 1.0
    while share_outside(high, freedom) > outside:
        low, high = high, high * 2.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if share_outside(middle, freedom) > outside:
            low = middle
        else:
            high = middle
    return high


def share_outside(t: float, freedom: float) -> float:
    """How much of the distribution lies beyond -t and t."""
    x = freedom / (freedom + t * t)
    return _incomplete_beta(x, freedom / 2.0, 0.5)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """Regularised; the continued fraction converges fast left of the mean, so mirror the rest."""
    if x <= 0.0 or x >= 1.0:
        return min(max(x, 0.0), 1.0)
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - _incomplete_beta(1.0 - x, b, a)
    front = a * math.log(x) + b * math.log1p(-x) - math.log(a)
    front += math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(front) / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """1 + d1 / (1 + d2 / (1 + ...)), evaluated from the front by Lentz's method."""
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, 500):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / _nonzero(1.0 + term * d)
        c = _nonzero(1.0 + term / c)
        value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
