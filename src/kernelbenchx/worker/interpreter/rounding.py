"""Conversions between number formats, rounded the way an sm_90 device rounds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from .dtypes import BITS, FP8, SHORT, Array

__all__ = ["convert", "in_double", "tf32", "toward_zero"]

_TF32_MASK = np.uint32(0xFFFFE000)

_LARGEST = {dtype: float(ml_dtypes.finfo(dtype).max) for dtype in FP8}


def convert(values: Array, target: np.dtype[Any]) -> Array:
    """Convert to nearest even; 8-bit floats and integers saturate, NaN becomes integer 0.

    Seen on an H200: infinities become the largest 8-bit float, and 1e10 the largest integer.
    """
    if values.dtype == target:
        return values
    if target in FP8:
        return _to_fp8(values, target)
    if target.kind in "iu" and (values.dtype.kind == "f" or values.dtype in SHORT):
        return _to_integer(values, target)
    return values.astype(target)


def in_double(operation: Callable[..., Array]) -> Callable[..., Array]:
    """The operation in float64, rounded once to what it was given.

    numpy's float32 kernels differ by a few last bits from one processor to another.
    """

    def compute(*values: Array) -> Array:
        wide = (one.astype(np.float64) if one.dtype == np.float32 else one for one in values)
        return operation(*wide).astype(values[0].dtype)

    return compute


def _to_fp8(values: Array, target: np.dtype[Any]) -> Array:
    if values.dtype.kind in "iub":
        values = values.astype(np.float32)
    wide = values if values.dtype == np.float64 else values.astype(np.float32)
    largest = _LARGEST[target]
    # np.clip keeps NaN; ml_dtypes would turn what exceeds the largest value into NaN.
    clipped: Array = np.clip(wide, -largest, largest).astype(target)
    return clipped


def _to_integer(values: Array, target: np.dtype[Any]) -> Array:
    wide: Array = values.astype(np.float64 if values.dtype == np.float64 else np.float32)
    info = np.iinfo(target)
    low, high = float(info.min), float(info.max)
    # The largest 32- or 64-bit integer is not a float: what rounds up to it is set by hand.
    result = np.clip(wide, low, np.nextafter(wide.dtype.type(high), wide.dtype.type(0)))
    result = np.where(np.isnan(wide), 0, result).astype(target)
    result[wide >= high] = info.max
    return result


def tf32(values: Array) -> Array:
    """Keep the ten bits of mantissa that a tensor core looks at.

    An H200 drops the other thirteen without rounding: 1 + 0.75 * 2**-10 comes out as 1.
    """
    bits = np.ascontiguousarray(values).view(np.uint32) & _TF32_MASK
    return bits.view(np.float32)


def toward_zero(values: Array, target: np.dtype[Any]) -> Array:
    """Convert to a shorter float, never away from zero."""
    nearest = convert(values, target)
    wide = values.astype(np.float64)
    too_far = np.abs(nearest.astype(np.float64)) > np.abs(wide)
    bits = nearest.view(BITS[target.itemsize]).copy()
    # Sign and magnitude: one less in the bits is one step nearer to zero.
    bits[too_far] -= 1
    return bits.view(target)
