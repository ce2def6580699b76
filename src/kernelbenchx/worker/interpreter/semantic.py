"""Triton's typing rules, unchanged, with short cuts for the most common cases."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import triton.language as tl
from triton.language.semantic import TritonSemantic

from .builder import Builder
from .python_semantics import PythonSemantics

__all__ = ["FLOATS", "SHORT", "SIGNED", "Semantic"]

FLOATS = frozenset(("fp32", "fp64"))
SIGNED = frozenset(("int32", "int64"))
SHORT = frozenset(("fp16", "bf16"))
"""Short floats are divided in float32, so they need a look."""

_WIDER = {
    pair: wide
    for wide, narrow in (
        (tl.int64, (tl.int32,)),
        (tl.float32, (tl.float16, tl.bfloat16, tl.int32, tl.int64)),
        (tl.float64, (tl.float32, tl.float16, tl.bfloat16, tl.int32, tl.int64)),
    )
    for one in narrow
    for pair in ((wide.name, one.name), (one.name, wide.name))
}
"""The wider of two types, which is the type of their result."""

_INT32 = 2**31

_CACHE_LIMIT = 4096


class Semantic(PythonSemantics, TritonSemantic):  # type: ignore[misc]
    """Front end of the interpreter."""

    builder: Builder

    def __init__(self, builder: Builder) -> None:
        super().__init__(builder)
        self._shapes: dict[tuple[int, int], tuple[Any, Any, Any, Any]] = {}
        self._constants: dict[tuple[Any, ...], Any] = {}

    def binary_op_type_checking_impl(
        self,
        lhs: Any,
        rhs: Any,
        allow_lhs_ptr: bool = False,
        allow_rhs_ptr: bool = False,
        arithmetic_check: bool = True,
        div_or_mod: bool = False,
    ) -> tuple[Any, Any]:
        """Bring two operands to one type and one shape.

        The shape is a matter of type only: the smaller operand keeps its data, and numpy
        stretches it when it computes. No such operand leaves the operation it was made for.
        """
        pair = (
            self.plain_pair(lhs, rhs, div_or_mod=div_or_mod)
            if arithmetic_check
            else self._agree(lhs, rhs, div_or_mod=div_or_mod)
        )
        if pair is None:
            pair = super().binary_op_type_checking_impl(
                lhs, rhs, allow_lhs_ptr, allow_rhs_ptr, arithmetic_check, div_or_mod
            )
        return pair

    def plain_pair(self, lhs: Any, rhs: Any, *, div_or_mod: bool) -> tuple[Any, Any] | None:
        """Operands of one type and shape where the rules are simple, None where Triton decides."""
        pair = self._agree(lhs, rhs, div_or_mod=div_or_mod)
        return self._widen_pair(lhs, rhs) if pair is None else pair

    def _agree(self, lhs: Any, rhs: Any, *, div_or_mod: bool) -> tuple[Any, Any] | None:
        """Convert operands to one type where the rules are simple, None where Triton decides."""
        if isinstance(lhs, tl.tensor):
            if isinstance(rhs, tl.tensor):
                return self._agree_tensors(lhs, rhs, div_or_mod=div_or_mod)
            number = self._number_like(lhs, rhs, div_or_mod=div_or_mod)
            return None if number is None else self._broadcast_pair(lhs, number)
        if isinstance(rhs, tl.tensor):
            number = self._number_like(rhs, lhs, div_or_mod=div_or_mod)
            return None if number is None else self._broadcast_pair(number, rhs)
        return None

    def _agree_tensors(self, lhs: Any, rhs: Any, *, div_or_mod: bool) -> tuple[Any, Any] | None:
        left, right = lhs.type.scalar.name, rhs.type.scalar.name
        if left == right:
            plain = left in FLOATS or left in SIGNED or (left in SHORT and not div_or_mod)
            return self._broadcast_pair(lhs, rhs) if plain or left == "int1" else None
        if left.startswith("pointer") and right in SIGNED:
            return self._broadcast_pair(lhs, rhs)
        return None

    def _widen_pair(self, lhs: Any, rhs: Any) -> tuple[Any, Any] | None:
        """Bring tensors of two types to the wider one, where it holds the other."""
        if not (isinstance(lhs, tl.tensor) and isinstance(rhs, tl.tensor)):
            return None
        wide = _WIDER.get((lhs.dtype.name, rhs.dtype.name))
        return wide and self._broadcast_pair(
            self._convert_to(lhs, wide), self._convert_to(rhs, wide)
        )

    def _convert_to(self, value: Any, dtype: Any) -> Any:
        """Convert a number or a block to a type that holds it."""
        if value.dtype is dtype:
            return value
        kind = value.type.with_element_ty(dtype) if value.type.is_block() else dtype
        return self.tensor(self.builder.cast_impl(value.handle, dtype), kind)

    def _number_like(self, tensor: Any, number: Any, *, div_or_mod: bool) -> Any | None:
        """A Python number as a tensor of the other operand's type."""
        name = tensor.type.scalar.name
        kind = type(number)
        fits = (name in FLOATS or (name in SHORT and not div_or_mod)) and kind in (int, float)
        if not fits:
            fits = name in SIGNED and kind is int and -_INT32 <= number < _INT32
        return self.scalar_constant(number, tensor.type.scalar) if fits else None

    def _broadcast_pair(self, lhs: Any, rhs: Any) -> tuple[Any, Any]:
        left, right = lhs.type, rhs.type
        if left is right:
            return lhs, rhs
        key = (id(left), id(right))
        found = self._shapes.get(key)
        if found is None:
            full = self.broadcast_impl_value(lhs, rhs)
            # The types are kept with the entry, so that no other one can take over their ids.
            found = (left, right, full[0].type, full[1].type)
            if len(self._shapes) >= _CACHE_LIMIT:
                self._shapes.clear()
            self._shapes[key] = found
        types = found[2:]
        if types[0] is not left:
            lhs = self.tensor(lhs.handle, types[0])
        if types[1] is not right:
            rhs = self.tensor(rhs.handle, types[1])
        return lhs, rhs

    def broadcast_impl_value(self, lhs: Any, rhs: Any) -> tuple[Any, Any]:
        """Bring two operands to one shape; nothing to do where they have it."""
        if getattr(lhs.type, "sizes", ()) == getattr(rhs.type, "sizes", ()):
            return lhs, rhs
        pair: tuple[Any, Any] = super().broadcast_impl_value(lhs, rhs)
        return pair

    def scalar_constant(self, value: Any, dtype: Any) -> Any:
        """One number as a tensor without shape."""
        if dtype is None:
            raise ValueError("dtype must be specified when value is not a tensor")
        # Zeros are left out because of their sign, NaN because it equals nothing.
        key = (value, type(value), dtype.name) if value and value == value else None
        known = None if key is None else self._constants.get(key)
        if known is None:
            known = self.tensor(self.builder.constant(value, dtype), dtype)
            if len(self._constants) >= _CACHE_LIMIT:
                self._constants.clear()
            if key is not None:
                self._constants[key] = known
        return known

    def _load_legacy(
        self, ptr: Any, mask: Any, other: Any, boundary_check: Any, padding: Any, *_hints: Any
    ) -> Any:
        """Load through pointers.

        Triton asks whether `other` is true to learn whether it is there, so a scalar 0 is lost.
        """
        self._check_load(ptr, mask, other, boundary_check or padding)
        if ptr.type.is_block():
            if mask is not None:
                ptr, mask = self.broadcast_impl_value(ptr, mask)
            if other is not None:
                ptr, other = self.broadcast_impl_value(ptr, other)
        element = ptr.type.scalar.element_ty
        # A bool lies in memory as a byte.
        stored = tl.int8 if element == tl.int1 else element
        if stored is not element:
            ptr = self.cast(ptr, tl.pointer_type(stored, ptr.type.scalar.address_space))
        if other is not None:
            other = self.cast(other, stored).handle
        result_type = ptr.type.with_element_ty(stored) if ptr.type.is_block() else stored
        kept = None if mask is None else mask.handle.data
        loaded = self.tensor(self.builder.load(ptr.handle, kept, other), result_type)
        return loaded if stored is element else self.cast(loaded, tl.int1)

    def _check_load(self, ptr: Any, mask: Any, other: Any, edges: Any) -> None:
        if not ptr.type.scalar.is_ptr():
            raise ValueError(f"Unsupported ptr type {ptr.type!r} in `tl.load`")
        if mask is None and other is not None:
            raise ValueError("`other` cannot be provided without `mask`")
        if edges:
            raise ValueError("`boundary_check` and `padding_option` need a block pointer")
        if not ptr.type.is_block():
            for name, value in (("mask", mask), ("other", other)):
                if value is not None and value.type.is_block():
                    raise ValueError(f"{name} cannot be a block where the pointer is not")

    def dot_scaled(self, lhs: Any, lhs_scale: Any, lhs_format: Any, *rest: Any) -> Any:
        """Scaled product; formats may come as plain strings."""
        rhs, rhs_scale, rhs_format, *more = rest
        return super().dot_scaled(
            lhs,
            lhs_scale,
            _as_constexpr(lhs_format),
            rhs,
            rhs_scale,
            _as_constexpr(rhs_format),
            *more,
        )

    def all_of(self, *operands: Callable[[], Any]) -> Any:
        """`and` of a kernel: known values decide at once, tensors are combined lane by lane."""
        return self._connect(operands, deciding=False, combine=self.logical_and)

    def any_of(self, *operands: Callable[[], Any]) -> Any:
        """`or` of a kernel."""
        return self._connect(operands, deciding=True, combine=self.logical_or)

    def _connect(
        self, operands: Sequence[Callable[[], Any]], *, deciding: bool, combine: Any
    ) -> Any:
        result: Any = None
        value: Any = None
        for operand in operands:
            value = operand()
            if not isinstance(value, tl.tensor):
                if bool(value) is deciding:
                    return value
            else:
                value = self.cast(value, tl.int1)
                result = value if result is None else combine(result, value)
        return value if result is None else result

    def inverse(self, operand: Any) -> Any:
        """`not` of a kernel."""
        if isinstance(operand, tl.tensor):
            return self.not_(self.cast(operand, tl.int1))
        return not operand

    def value_of(self, constant: Any) -> Any:
        """`.value` of a kernel: of a constexpr, which comes as a plain number, or a field."""
        if isinstance(constant, tl.tensor):
            raise AttributeError("'tensor' object has no attribute 'value'")
        return constant.value if hasattr(constant, "value") else constant

    def counting(self, *bounds: Any) -> Iterator[Any]:
        """`range` of a kernel: its counter is a tensor, of the type of its widest bound."""
        ends = [self.to_tensor(one) for one in bounds]
        kind = functools.reduce(self.integer_promote_impl, (one.dtype for one in ends))
        for number in range(*map(operator.index, ends)):
            yield self.scalar_constant(number, kind)


def _as_constexpr(value: Any) -> Any:
    return value if isinstance(value, tl.constexpr) else tl.constexpr(value)
