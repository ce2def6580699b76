"""Quantiles of Student's distribution, for degrees of freedom that need not be whole."""

import math
from functools import lru_cache

_MOST = 1000.0
"""More degrees of freedom than this count as this many; the quantile is then a little too wide."""


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
    # Most commands need no quantile, and importing scipy takes most of a second.
    from scipy.special import stdtrit

    return float(-stdtrit(freedom, outside / 2.0))
