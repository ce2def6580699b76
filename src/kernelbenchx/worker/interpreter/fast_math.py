"""The fast functions of libdevice, with the largest errors that NVIDIA's documents allow.

Each result is moved by a share of its documented largest error. The share looks random, and is a
function of the arguments: the same call gives the same result. Bounds are those of the intrinsic
functions in the CUDA programming guide. Triton compiles libdevice so that subnormal numbers become
zero, in arguments and in results. Outside of the range for which sine and cosine have a bound
("larger elsewhere") it grows with the argument, as the error of its reduction does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .dtypes import Array

__all__ = ["fast_functions"]

Function = Callable[..., Array]
_SMALLEST = float(np.finfo(np.float32).tiny)
_LARGEST_DIVISOR = 2.0**126
_MIXER = 0x9E3779B1


def fast_functions() -> dict[str, Function]:
    """By the name of the symbol, without its prefix."""
    return {
        "fast_expf": _flush_subnormals(
            lambda x: _off_by_ulps(np.exp(x), 2 + np.floor(1.173 * abs(x)), x)
        ),
        "fast_exp10f": _flush_subnormals(
            lambda x: _off_by_ulps(10.0**x, 2 + np.floor(2.97 * abs(x)), x)
        ),
        "fast_logf": _flush_subnormals(lambda x: _logarithm(np.log(x), 2**-21.41, 3, x)),
        "fast_log2f": _flush_subnormals(_log2),
        "fast_log10f": _flush_subnormals(lambda x: _logarithm(np.log10(x), 2.0**-24, 3, x)),
        "fast_sinf": _flush_subnormals(_sine),
        "fast_cosf": _flush_subnormals(_cosine),
        "fast_tanf": _flush_subnormals(
            lambda x: _single(_sine(x)) * _single(1 / _single(_cosine(x)))
        ),
        "fast_tanhf": _flush_subnormals(lambda x: np.tanh(x) * (1 + 2.0**-11 * _share(x))),
        "fast_powf": _flush_subnormals(_power),
        "fast_fdividef": _flush_subnormals(_quotient),
    }


def _flush_subnormals(compute: Function) -> Function:
    """Flush subnormal numbers, in float64 within the range of float32."""

    def compute_flushed(*arguments: Array) -> Array:
        given = [_without_subnormals(one).astype(np.float64) for one in arguments]
        with np.errstate(all="ignore"):
            return _without_subnormals(compute(*given).astype(np.float32))

    return compute_flushed


def _without_subnormals(values: Array) -> Array:
    small = np.abs(values) < _SMALLEST
    return np.where(small, np.copysign(values.dtype.type(0), values), values)


def _single(values: Array) -> Array:
    return values.astype(np.float32).astype(np.float64)


def _share(*arguments: Array) -> Array:
    """A share from -1 to 1 of the largest error, by the bits of the arguments."""
    mixed: Any = np.uint64(0)
    for one in arguments:
        bits = one.astype(np.float32).view(np.uint32).astype(np.uint64)
        mixed = (mixed ^ bits) * np.uint64(_MIXER) & np.uint64(0xFFFFFFFF)
        mixed ^= mixed >> np.uint64(15)
    share: Array = mixed.astype(np.float64) / 2.0**31 - 1
    return share


def _off_by_ulps(exact: Array, ulps: Array | float, *arguments: Array) -> Array:
    ulp = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
    ulps = np.minimum(ulps, 1 / np.finfo(np.float32).eps)
    return np.where(np.isfinite(ulp), exact + ulp * ulps * _share(*arguments), exact)


def _logarithm(exact: Array, near_one: float, ulps: float, x: Array) -> Array:
    """Around 1 the error is absolute: the logarithm of a number next to 1 may have no digit."""
    moved = exact + near_one * _share(x)
    return np.where((x >= 0.5) & (x <= 2), moved, _off_by_ulps(exact, ulps, x))


def _log2(x: Array) -> Array:
    return _logarithm(np.log2(x), 2.0**-22, 2, x)


def _sine(x: Array) -> Array:
    return np.sin(x) + 2**-21.41 * np.maximum(1, np.abs(x) / np.pi) * _share(x)


def _cosine(x: Array) -> Array:
    return np.cos(x) + 2**-21.19 * np.maximum(1, np.abs(x) / np.pi) * _share(x)


def _power(x: Array, y: Array) -> Array:
    """2 to the power of `y * log2(x)`: a negative base has no logarithm."""
    exponent = _single(y * _single(_log2(x)))
    return _off_by_ulps(np.exp2(exponent), 2, x, y)


def _quotient(x: Array, y: Array) -> Array:
    """Zero where the divisor is so large that its reciprocal is subnormal."""
    large = (np.abs(y) > _LARGEST_DIVISOR) & np.isfinite(y)
    lost = np.where(np.isinf(x), np.nan, np.copysign(0.0, x * np.sign(y)))
    return np.where(large, lost, _off_by_ulps(x / y, 2, x, y))
