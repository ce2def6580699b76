"""Short cuts for the operators of tensors.

Most operators of a kernel have operands of plain types. They need few of Triton's rules for types,
which cost more than the arithmetic. Whatever is less plain goes the long way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import triton.language as tl

from .semantic import FLOATS, SHORT, SIGNED, Semantic

__all__ = ["patch_operators"]

_COMPARISONS = {"lt": "LT", "le": "LE", "gt": "GT", "ge": "GE", "eq": "EQ", "ne": "NE"}
_POINTER = "pointer"
_EXACT = SIGNED | {"fp32"}

Make = Callable[[Any, Any], Any]


def patch_operators(semantic: Semantic) -> None:
    """Put short cuts before the operators that the language is bound to."""
    builder = semantic.builder
    for name in ("add", "sub", "mul"):
        floats, integers = (getattr(builder, f"create_{kind}{name}") for kind in ("f", ""))
        pointers = {_POINTER: builder.create_addptr} if name == "add" else {}
        _lead(semantic, f"__{name}__", _by_type(floats, integers) | pointers)
        _lead(semantic, f"__r{name}__", _by_type(floats, integers), swapped=True)
    _lead(semantic, "__truediv__", dict.fromkeys(FLOATS, builder.create_fdiv))
    for name, made in _COMPARISONS.items():
        floats = getattr(builder, f"create_fcmp{'U' if name == 'ne' else 'O'}{made}")
        integers = getattr(builder, f"create_icmp{'' if name in ('eq', 'ne') else 'S'}{made}")
        _lead(semantic, f"__{name}__", _by_type(floats, integers), compares=True)
    for name in ("and", "or"):
        make = getattr(builder, f"create_{name}")
        _lead(semantic, f"__{name}__", dict.fromkeys((*SIGNED, "int1"), make))


def _by_type(floats: Make, integers: Make) -> dict[str, Make]:
    return dict.fromkeys(FLOATS | SHORT, floats) | dict.fromkeys(SIGNED, integers)


def _lead(
    semantic: Semantic,
    name: str,
    makers: dict[str, Make],
    *,
    swapped: bool = False,
    compares: bool = False,
) -> None:
    """Let one operator make its result at once where both operands come to one of these types."""
    tensor, long_way, divides = tl.tensor, getattr(tl.tensor, name), name == "__truediv__"

    def operate(self: Any, other: Any) -> Any:
        if compares and type(other) is not tensor and not _is_exact(self, other):
            return long_way(self, other)
        lhs, rhs = (other, self) if swapped else (self, other)
        pair = semantic.plain_pair(lhs, rhs, div_or_mod=divides)
        if pair is None:
            return long_way(self, other)
        lhs, rhs = pair
        kind = lhs.dtype.name
        make = makers.get(_POINTER if kind.startswith(_POINTER) else kind)
        if make is None:
            return long_way(self, other)
        whole = lhs.type
        if compares:
            whole = whole.with_element_ty(tl.int1) if whole.is_block() else tl.int1
        return tensor(make(lhs.handle, rhs.handle), whole)

    setattr(tensor, name, operate)


def _is_exact(tensor: Any, number: Any) -> bool:
    """Whether a number has one value, as the tensor's type and as the type that Triton gives it.

    A short float is compared with 0.1 in float32, but added to it in its own type.
    """
    return type(number) is int and tensor.dtype.name in _EXACT
