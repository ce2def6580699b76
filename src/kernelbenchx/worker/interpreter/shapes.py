"""Creates and rearranges values: constants, ranges, broadcasts, gathers, histograms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import triton.language as tl

from .dtypes import numpy_dtype
from .handles import Handle, scalar
from .rounding import convert

__all__ = ["Shapes"]


class Shapes:
    """The part of the builder that creates and rearranges values without computing."""

    def constant(self, value: Any, dtype: Any) -> Handle:
        """One number of a type."""
        target = numpy_dtype(dtype)
        if isinstance(value, float) and target.kind not in "f":
            return Handle(convert(np.array([value], dtype=np.float64), target), dtype)
        return scalar(value, target, dtype)

    def get_bf16(self, value: float) -> Handle:
        """One bf16 number, which Triton's own builder cannot make."""
        return self.constant(float(value), tl.bfloat16)

    def get_null_value(self, dtype: Any) -> Handle:
        """Zero of a type."""
        return scalar(0, numpy_dtype(dtype), dtype)

    def create_splat(self, ret_ty: Any, arg: Handle) -> Handle:
        """Fill a block with one value."""
        data = arg.data.reshape(-1)[:1].reshape((1,) * len(ret_ty.shape))
        return arg.rearrange(np.broadcast_to(data, ret_ty.shape))

    def create_unsplat(self, arg: Handle) -> Handle:
        """The one value of a block of one."""
        return arg.rearrange(arg.data.reshape(-1)[:1])

    def create_broadcast(self, arg: Handle, shape: Sequence[int]) -> Handle:
        """Stretch dimensions of size one."""
        return arg.rearrange(np.broadcast_to(arg.data, tuple(shape)))

    def create_expand_dims(self, arg: Handle, axis: int) -> Handle:
        """Insert a dimension of size one."""
        return arg.rearrange(np.expand_dims(arg.data, axis))

    def create_reshape(self, arg: Handle, shape: Sequence[int], _may_reorder: bool) -> Handle:
        """Arrange elements in another shape."""
        return arg.rearrange(arg.data.reshape(tuple(shape)))

    def create_trans(self, arg: Handle, perm: Sequence[int]) -> Handle:
        """Permute dimensions."""
        return arg.rearrange(np.transpose(arg.data, tuple(perm)))

    def create_addptr(self, ptr: Handle, offset: Handle) -> Handle:
        """Move pointers by elements; they stay pointers into the same tensor."""
        size = numpy_dtype(ptr.get_element_ty()).itemsize
        # Negative offsets wrap around, and so does the address: the sum is right.
        distance = offset.data.astype(np.int64).view(np.uint64)
        if size != 1:
            distance = distance * np.uint64(size)
        return Handle(ptr.data + distance, ptr.dtype, origin=ptr.origin)

    def create_make_range(self, _ret_ty: Any, start: int, stop: int) -> Handle:
        """Consecutive integers."""
        return Handle(np.arange(start, stop, dtype=np.int32), tl.int32)

    def create_histogram(self, data: Handle, bins: int, mask: Handle | None) -> Handle:
        """Count values; what lies outside the bins is dropped."""
        values = (
            data.data if mask is None else data.data[np.broadcast_to(mask.data, data.data.shape)]
        )
        values = values.astype(np.int64).reshape(-1)
        counts = np.bincount(values[(values >= 0) & (values < bins)], minlength=bins)
        return Handle(counts.astype(np.int32), tl.int32)
