"""Block pointers and tensor descriptors: rectangles of memory, cut at the edge of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import triton.language as tl
from triton._C.libtriton import ir

from .dtypes import Array, numpy_dtype
from .handles import Handle, scalar
from .memory import Memory

__all__ = ["Tiles"]


class _Tile(NamedTuple):
    pointers: Handle
    inside: Array


class Tiles(Memory):
    """Part of the builder that loads and stores whole tiles."""

    def create_tensor_pointer_load(
        self, ptr: Any, boundary_check: Sequence[int], padding: Any, *_hints: Any
    ) -> Handle:
        """Load through a block pointer; what lies past a checked edge is padding, or poison."""
        tile = _tile(ptr, ptr.offsets, boundary_check)
        return self.load(tile.pointers, tile.inside, _padding(tile, padding))

    def create_tensor_pointer_store(
        self, ptr: Any, value: Handle, boundary_check: Sequence[int], *_hints: Any
    ) -> None:
        """Store through a block pointer, cut at the checked edges."""
        tile = _tile(ptr, ptr.offsets, boundary_check)
        self.store(tile.pointers, value, tile.inside)

    def create_descriptor_load(self, desc: Any, indices: Sequence[Handle], *_hints: Any) -> Handle:
        """Load a tile; a descriptor always pads."""
        tile = _build_descriptor_tile(desc, indices)
        return self.load(tile.pointers, tile.inside, _padding(tile, desc.padding))

    def create_descriptor_store(self, desc: Any, value: Handle, indices: Sequence[Handle]) -> None:
        """Store a tile, cut at every edge."""
        tile = _build_descriptor_tile(desc, indices)
        self.store(tile.pointers, value, tile.inside)

    def create_descriptor_gather(
        self, desc: Any, x_offsets: Handle, y_offset: Handle, _type: Any
    ) -> Handle:
        """Load one row for each offset."""
        rows = [self.create_descriptor_load(desc, at) for at in _rows(x_offsets, y_offset)]
        stacked = np.concatenate([row.data.reshape(1, -1) for row in rows])
        return Handle(stacked, desc.base.get_element_ty())

    def create_descriptor_scatter(
        self, desc: Any, value: Handle, x_offsets: Handle, y_offset: Handle
    ) -> None:
        """Store one row for each offset."""
        for row, at in zip(value.data, _rows(x_offsets, y_offset), strict=True):
            self.create_descriptor_store(desc, Handle(row.reshape(1, -1), value.dtype), at)

    def create_descriptor_reduce(
        self, kind: Any, desc: Any, value: Handle, indices: Sequence[Handle]
    ) -> None:
        """Combine a tile with what is in memory, element by element and atomically."""
        tile = _build_descriptor_tile(desc, indices)
        name = str(kind).rsplit(".", 1)[-1]
        if name == "ADD" and value.data.dtype.kind not in "iu":
            name = "FADD"
        elif name in ("MIN", "MAX") and value.data.dtype.kind == "u":
            name = f"U{name}"
        op = getattr(ir.ATOMIC_OP, name)
        kept = Handle(tile.inside, tl.int1)
        self.create_atomic_rmw(op, tile.pointers, value, kept, ir.MEM_SEMANTIC.RELAXED, None)


def _rows(x_offsets: Handle, y_offset: Handle) -> list[list[Handle]]:
    int32 = np.dtype(np.int32)
    return [[scalar(x, int32, tl.int32), y_offset] for x in x_offsets.data]


def _build_descriptor_tile(desc: Any, indices: Sequence[Handle]) -> _Tile:
    itemsize = numpy_dtype(desc.base.get_element_ty()).itemsize
    if int(indices[-1].data.reshape(-1)[0]) * itemsize % 16:
        raise ValueError("a tile of a descriptor must start at a multiple of 16 bytes in its row")
    return _tile(desc, indices, range(len(desc.block_shape)))


def _tile(handle: Any, offsets: Sequence[Handle], checked: Sequence[int]) -> _Tile:
    """Addresses of a tile, and which of them lie inside the described tensor."""
    base: Handle = handle.base
    itemsize = numpy_dtype(base.get_element_ty()).itemsize
    rank = len(handle.block_shape)
    distance = np.zeros((1,) * rank, dtype=np.int64)
    inside = np.ones((1,) * rank, dtype=bool)
    for dim, extent in enumerate(handle.block_shape):
        along = [1] * rank
        along[dim] = extent
        at = (_number(offsets[dim]) + np.arange(extent, dtype=np.int64)).reshape(along)
        distance = distance + at * (itemsize * _number(handle.strides[dim]))
        if dim in checked:
            inside = inside & (at >= 0) & (at < _number(handle.shape[dim]))
    addresses = base.data.reshape(-1)[0] + distance.view(np.uint64)
    pointers = Handle(addresses, base.dtype.scalar, origin=base.origin)
    return _Tile(pointers, np.broadcast_to(inside, addresses.shape))


def _number(handle: Handle) -> int:
    return int(handle.data.reshape(-1)[0])


def _padding(tile: _Tile, option: Any) -> Handle | None:
    if option is None:
        return None
    element = tile.pointers.get_element_ty()
    fill = float("nan") if option == ir.PADDING_OPTION.PAD_NAN else 0
    return scalar(fill, numpy_dtype(element), element)
