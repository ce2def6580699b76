"""Element-wise arithmetic: right in every format, and NaN treated as a device treats it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special
import triton.language as tl
from triton._C.libtriton import ir

from .dtypes import BITS, HALVES, SHORT, Array, numpy_dtype
from .handles import Handle
from .rounding import convert, in_double, toward_zero

__all__ = ["Arithmetic"]

Operation = Callable[..., Array]


def _arithmetic(operation: Operation) -> Callable[[Any, Handle, Handle], Handle]:
    def create(_self: Any, lhs: Handle, rhs: Handle) -> Handle:
        return Handle(operation(lhs.data, rhs.data), lhs.dtype.scalar)

    return create


def _comparison(operation: Operation) -> Callable[[Any, Handle, Handle], Handle]:
    def create(_self: Any, lhs: Handle, rhs: Handle) -> Handle:
        return Handle(operation(lhs.data, rhs.data), tl.int1)

    return create


def _unary(operation: Operation) -> Callable[[Any, Handle], Handle]:
    def create(_self: Any, arg: Handle) -> Handle:
        data = arg.data
        if data.dtype in SHORT:
            data = operation(data.astype(np.float32)).astype(data.dtype)
        else:
            data = operation(data)
        return Handle(data, arg.dtype.scalar)

    return create


def _divide_integers(lhs: Array, rhs: Array) -> Array:
    """Quotient rounded toward zero; numpy rounds down."""
    quotient: Array = (lhs - np.fmod(lhs, rhs)) // rhs
    return quotient


def _rsqrt(values: Array) -> Array:
    one: Array = values.dtype.type(1) / np.sqrt(values)
    return one


def _multiply_add(x: Array, y: Array, z: Array) -> Array:
    """Multiply and add with one rounding."""
    wide = np.float32 if x.dtype in HALVES else np.float64
    result: Array = (x.astype(wide) * y.astype(wide) + z.astype(wide)).astype(z.dtype)
    return result


def _comparisons(*names: str, operation: Operation) -> dict[str, Any]:
    return {f"create_{name}": _comparison(operation) for name in names}


class Arithmetic:
    """Part of the builder that computes element by element."""

    create_fadd = create_add = _arithmetic(np.add)
    create_fsub = create_sub = _arithmetic(np.subtract)
    create_fmul = create_mul = _arithmetic(np.multiply)
    create_fdiv = create_precise_divf = _arithmetic(np.divide)
    create_frem = create_srem = create_urem = _arithmetic(np.fmod)
    create_sdiv = create_udiv = _arithmetic(_divide_integers)
    create_and = _arithmetic(np.bitwise_and)
    create_or = _arithmetic(np.bitwise_or)
    create_xor = _arithmetic(np.bitwise_xor)
    create_shl = _arithmetic(np.left_shift)
    create_minsi = create_minui = create_minimumf = _arithmetic(np.minimum)
    create_maxsi = create_maxui = create_maximumf = _arithmetic(np.maximum)
    # The other operand where one is NaN: what a device does unless asked to propagate it.
    create_minnumf = _arithmetic(np.fmin)
    create_maxnumf = _arithmetic(np.fmax)

    create_cos = _unary(in_double(np.cos))
    create_sin = _unary(in_double(np.sin))
    create_exp = _unary(in_double(np.exp))
    create_exp2 = _unary(in_double(np.exp2))
    create_log = _unary(in_double(np.log))
    create_log2 = _unary(in_double(np.log2))
    create_sqrt = create_precise_sqrt = _unary(np.sqrt)
    create_rsqrt = _unary(_rsqrt)
    create_erf = _unary(in_double(scipy.special.erf))
    create_floor = _unary(np.floor)
    create_ceil = _unary(np.ceil)
    create_fabs = create_iabs = _unary(np.abs)

    for _names, _operation in (
        (("icmpSLE", "icmpULE", "fcmpOLE", "fcmpULE"), np.less_equal),
        (("icmpSLT", "icmpULT", "fcmpOLT", "fcmpULT"), np.less),
        (("icmpSGE", "icmpUGE", "fcmpOGE", "fcmpUGE"), np.greater_equal),
        (("icmpSGT", "icmpUGT", "fcmpOGT", "fcmpUGT"), np.greater),
        (("icmpEQ", "fcmpOEQ", "fcmpUEQ"), np.equal),
        (("icmpNE", "fcmpONE", "fcmpUNE"), np.not_equal),
    ):
        locals().update(_comparisons(*_names, operation=_operation))
    del _names, _operation

    def create_lshr(self, lhs: Handle, rhs: Handle) -> Handle:
        """Shift right and fill with zeros, whatever the sign."""
        bits = BITS[lhs.data.itemsize]
        shifted = np.right_shift(lhs.data.view(bits), rhs.data.astype(bits))
        return Handle(shifted.view(lhs.data.dtype), lhs.dtype.scalar)

    def create_ashr(self, lhs: Handle, rhs: Handle) -> Handle:
        """Shift right and keep the sign."""
        signed = np.dtype(f"i{lhs.data.itemsize}")
        shifted = np.right_shift(lhs.data.view(signed), rhs.data.astype(signed))
        return Handle(shifted.view(lhs.data.dtype), lhs.dtype.scalar)

    def create_umulhi(self, lhs: Handle, rhs: Handle) -> Handle:
        """Upper half of an unsigned product."""
        dtype = lhs.data.dtype
        width = 8 * dtype.itemsize
        # Python's integers hold the 128 bits that numpy's cannot.
        wide: Any = np.uint64 if width <= 32 else object
        product = lhs.data.view(BITS[dtype.itemsize]).astype(wide) * rhs.data.view(
            BITS[dtype.itemsize]
        ).astype(wide)
        upper = (product >> width).astype(BITS[dtype.itemsize])
        return Handle(upper.view(dtype), lhs.dtype.scalar)

    def create_clampf(self, arg: Handle, low: Handle, high: Handle, propagate: Any) -> Handle:
        """Clamp; NaN becomes the lower bound unless it shall propagate."""
        if propagate == ir.PROPAGATE_NAN.ALL:
            data = np.minimum(np.maximum(arg.data, low.data), high.data)
        else:
            data = np.fmin(np.fmax(arg.data, low.data), high.data)
        return Handle(data, arg.dtype.scalar)

    def create_select(self, condition: Handle, lhs: Handle, rhs: Handle) -> Handle:
        """Choose lane by lane; pointers of different tensors lose their origin."""
        left, right = lhs.data, rhs.data
        if left.dtype != right.dtype:
            same = left.itemsize == right.itemsize
            right = right.view(left.dtype) if same else right.astype(left.dtype)
        origin = lhs.origin if lhs.origin is rhs.origin else None
        return Handle(np.where(condition.data, left, right), lhs.dtype.scalar, origin=origin)

    def create_fma(self, x: Handle, y: Handle, z: Handle) -> Handle:
        """Multiply and add with one rounding."""
        return Handle(_multiply_add(x.data, y.data, z.data), z.dtype.scalar)

    def cast_impl(self, src: Handle, dst_type: Any) -> Handle:
        """Convert values to another type, rounding to nearest even."""
        return Handle(convert(src.data, numpy_dtype(dst_type)), dst_type.scalar)

    create_si_to_fp = create_ui_to_fp = cast_impl
    create_fp_to_si = create_fp_to_ui = cast_impl
    create_fp_ext = create_fp_trunc = cast_impl

    def create_int_cast(self, src: Handle, dst_type: Any, _is_signed: bool) -> Handle:
        """Convert integers; bits that do not fit are dropped."""
        return Handle(src.data.astype(numpy_dtype(dst_type)), dst_type.scalar)

    def create_fp_to_fp(self, src: Handle, dst_type: Any, rounding: Any) -> Handle:
        """Convert floats, in the rounding mode the kernel asked for."""
        if rounding == ir.ROUNDING_MODE.RTZ:
            data = toward_zero(src.data, numpy_dtype(dst_type))
            return Handle(data, dst_type.scalar)
        return self.cast_impl(src, dst_type)

    def create_bitcast(self, src: Handle, dst_type: Any) -> Handle:
        """Look at the same bits as another type; a pointer stays where it points."""
        data = src.data.view(numpy_dtype(dst_type))
        return Handle(data, dst_type.scalar, origin=src.origin)

    create_int_to_ptr = create_ptr_to_int = create_bitcast
