"""Matrix products: operands rounded as a tensor core sees them, sums in float32."""

from __future__ import annotations

from typing import Any

import numpy as np
from triton._C.libtriton import ir

from .dtypes import NUMPY, Array
from .handles import Handle
from .launch import Launch
from .rounding import tf32

__all__ = ["Dots"]

_BF16 = NUMPY["bf16"]

_E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], np.float32)
"""The sixteen values of a 4-bit float."""

_E8M0_BIAS = 127


class Dots:
    """Part of the builder that multiplies matrices."""

    launch: Launch

    def create_dot(
        self, a: Handle, b: Handle, d: Handle, precision: Any, _imprecise: Any
    ) -> Handle:
        """Product plus accumulator; integers are exact, short floats are multiplied exactly."""
        x, y, acc = a.data, b.data, d.data
        if x.dtype.kind in "iu":
            # float64 holds every sum of 8-bit products that fits into 32 bits.
            product = np.matmul(x.astype(np.float64), y.astype(np.float64)).astype(acc.dtype)
        elif x.dtype == np.float64:
            product = np.matmul(x, y)
        elif x.dtype == np.float32:
            product = self._product_of_singles(x, y, precision)
        else:
            product = np.matmul(x.astype(np.float32), y.astype(np.float32))
        return Handle((product + acc).astype(acc.dtype, copy=False), d.dtype.scalar)

    def _product_of_singles(self, x: Array, y: Array, precision: Any) -> Array:
        if precision == ir.INPUT_PRECISION.TF32:
            self.launch.watch.flags.add("tf32")
            return _matmul(tf32(x), tf32(y))
        if precision == ir.INPUT_PRECISION.BF16x3:
            (x1, x2), (y1, y2) = _halves(x), _halves(y)
            return _matmul(x1, y2) + _matmul(x2, y1) + _matmul(x1, y1)
        # tf32x3 and bf16x6 lose less than the order of the sum does.
        return _matmul(x, y)

    def create_dot_scaled(
        self,
        lhs: Handle,
        lhs_scale: Handle | None,
        lhs_format: Any,
        rhs: Handle,
        rhs_scale: Handle | None,
        rhs_format: Any,
        *rest: Any,
    ) -> Handle:
        """Product of 4- or 8-bit floats with one scale for each run of a row or column."""
        _fast_math, lhs_k_pack, rhs_k_pack, acc = rest
        x = _decode(lhs.data, lhs_format, -1 if lhs_k_pack else -2)
        y = _decode(rhs.data, rhs_format, -2 if rhs_k_pack else -1)
        x = x * _scales(lhs_scale, x.shape[-1])
        y = y * np.swapaxes(_scales(rhs_scale, y.shape[-2]), -1, -2)
        result = np.matmul(x, y) + acc.data
        return Handle(result.astype(acc.data.dtype, copy=False), acc.dtype.scalar)


def _matmul(x: Array, y: Array) -> Array:
    product: Array = np.matmul(x, y)
    return product


def _halves(values: Array) -> tuple[Array, Array]:
    """A float32 as the sum of two bf16 values."""
    upper = values.astype(_BF16).astype(np.float32)
    return upper, (values - upper).astype(_BF16).astype(np.float32)


def _decode(data: Array, element: Any, packed_axis: int) -> Array:
    if element != ir.ScaleDotElemTypeTY.E2M1:
        return data.astype(np.float32)
    pairs = np.stack([_E2M1[data & 0xF], _E2M1[data >> 4]], axis=-1)
    if packed_axis == -1:
        return pairs.reshape(*data.shape[:-1], -1)
    return np.moveaxis(pairs, -1, -2).reshape(*data.shape[:-2], -1, data.shape[-1])


def _scales(handle: Handle | None, k: int) -> Array:
    """Scale of each element along K; shape (..., rows, K)."""
    if handle is None:
        return np.ones((1, 1), dtype=np.float32)
    data = handle.data
    if data.dtype.kind == "u":
        exponent = data.astype(np.int32) - _E8M0_BIAS
        values = np.where(data == 0xFF, np.float32("nan"), np.ldexp(np.float32(1), exponent))
    else:
        values = data.astype(np.float32)
    return np.repeat(values, k // values.shape[-1], axis=-1)
