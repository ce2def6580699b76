"""Values as the interpreter holds them: an array, a Triton type, and where a pointer came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import Array

if TYPE_CHECKING:
    from .storages import Region

__all__ = ["Handle"]


class Handle:
    """Stands in for Triton's `TensorHandle`, which validates each value again at some cost."""

    __slots__ = ("attr", "data", "dtype", "origin")

    def __init__(
        self,
        data: Array,
        dtype: Any,
        attr: dict[str, Any] | None = None,
        origin: Region | None = None,
    ) -> None:
        self.data = data
        self.dtype = dtype
        self.attr = attr
        self.origin = origin

    def __bool__(self) -> bool:
        return bool(self.data.all())

    def get_element_ty(self) -> Any:
        """Type behind the pointer, or the type itself."""
        dtype = self.dtype
        while hasattr(dtype, "element_ty"):
            dtype = dtype.element_ty
        return dtype

    def clone(self) -> Handle:
        """Copy whose data may be changed."""
        return Handle(self.data.copy(), self.dtype, origin=self.origin)

    def set_attr(self, key: str, value: Any) -> None:
        """Keep a hint of the kernel, such as `tl.multiple_of`; nothing here acts on it."""
        self.attr = {**(self.attr or {}), key: value}

    def rearrange(self, data: Array) -> Handle:
        """Handle on the same elements in another arrangement: a pointer keeps its origin."""
        return Handle(data, self.dtype.scalar, origin=self.origin)


def scalar(value: Any, np_dtype: np.dtype[Any], dtype: Any) -> Handle:
    """Handle on one number, which Triton's interpreter keeps as an array of one element."""
    return Handle(np.array([value], dtype=np_dtype), dtype)
