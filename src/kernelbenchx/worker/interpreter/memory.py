"""Loads, stores and atomics: checked against the storages of the launch before they happen."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from triton._C.libtriton import ir
from triton.runtime import interpreter as stock

from .dtypes import BITS, POISON, SHORT, Array, numpy_dtype
from .handles import Handle
from .launch import Launch
from .storages import Region

__all__ = ["Memory"]


_ACQUIRING = (ir.MEM_SEMANTIC.ACQUIRE, ir.MEM_SEMANTIC.ACQUIRE_RELEASE)
_RELEASING = (ir.MEM_SEMANTIC.RELEASE, ir.MEM_SEMANTIC.ACQUIRE_RELEASE)


def _differs(view: Array, index: Array, new: Array) -> Array:
    changed: Array = view[index] != new
    return changed


class Memory:
    """Part of the builder that touches memory."""

    launch: Launch

    def create_load(self, ptr: Handle, *_hints: Any) -> Handle:
        """Load every lane."""
        return self.load(ptr, None, None)

    def create_masked_load(
        self, ptrs: Handle, mask: Handle, other: Handle | None, *_hints: Any, **_more: Any
    ) -> Handle:
        """Load the lanes that the mask keeps; the others hold `other`, or nothing defined."""
        return self.load(ptrs, mask.data, other)

    def create_store(self, ptr: Handle, value: Handle, *_hints: Any) -> None:
        """Store every lane."""
        self.store(ptr, value, None)

    def create_masked_store(self, ptrs: Handle, value: Handle, mask: Handle, *_: Any) -> None:
        """Store the lanes that the mask keeps."""
        self.store(ptrs, value, mask.data)

    def load(self, ptr: Handle, mask: Array | None, other: Handle | None) -> Handle:
        """Read through pointers; nothing is read for a lane that is switched off."""
        element = ptr.get_element_ty()
        dtype = numpy_dtype(element)
        addresses = ptr.data
        active = addresses.size if mask is None else int(np.count_nonzero(mask))
        if mask is None or active == mask.size == addresses.size:
            return Handle(self._gather(addresses, dtype, ptr.origin), element)
        fill = self.launch.fill_undefined(POISON[dtype]) if other is None else other.data
        result = np.empty(addresses.shape, dtype=dtype)
        result[...] = fill
        if active:
            kept = np.broadcast_to(mask, addresses.shape)
            result[kept] = self._gather(addresses[kept], dtype, ptr.origin)
        return Handle(result, element)

    def _gather(self, addresses: Array, dtype: np.dtype[Any], origin: Region | None) -> Array:
        size = dtype.itemsize
        bits = BITS[size] if dtype in SHORT else dtype
        result = np.empty(addresses.shape, dtype=bits)
        for access in self.launch.storages.accesses(addresses, size, origin, "load"):
            self.launch.note_load(access, size)
            values = access.region.view(bits).take(access.index)
            if access.lanes is None:
                return values.view(dtype)
            result[access.lanes] = values
        return result.view(dtype)

    def store(self, ptr: Handle, value: Handle, mask: Array | None) -> None:
        """Write through pointers; where lanes of one program meet, the last one wins."""
        dtype = numpy_dtype(ptr.get_element_ty())
        bits = BITS[dtype.itemsize]
        addresses = ptr.data
        values = np.broadcast_to(value.data, addresses.shape).view(bits)
        if mask is not None:
            active = int(np.count_nonzero(mask))
            if active == 0:
                return
            if active != mask.size or mask.size != addresses.size:
                kept = np.broadcast_to(mask, addresses.shape)
                addresses, values = addresses[kept], values[kept]
        self._scatter(addresses, values, ptr.origin)

    def _scatter(self, addresses: Array, values: Array, origin: Region | None) -> None:
        size = values.itemsize
        # All lanes are checked before the first one is written.
        for access in list(self.launch.storages.accesses(addresses, size, origin, "store")):
            view = access.region.view(values.dtype)
            new = values if access.lanes is None else values[access.lanes]
            index = access.index
            self.launch.storing(access, size, functools.partial(_differs, view, index, new))
            view[index] = new

    def create_atomic_rmw(
        self, op: Any, ptr: Handle, val: Handle, mask: Handle, sem: Any, scope: Any
    ) -> Handle:
        """Read, modify, write; gives back what was there before."""
        values = np.broadcast_to(val.data, ptr.data.shape)
        kept = np.broadcast_to(mask.data, ptr.data.shape)
        if not self._enter_atomic(ptr.data[kept], values.itemsize, ptr.origin):
            return Handle(np.zeros(ptr.data.shape, dtype=values.dtype), val.dtype.scalar)
        before = self._peek(ptr)
        self._synchronize(ptr, sem, scope)
        dtype = values.dtype
        if op == ir.ATOMIC_OP.XCHG:
            values = values.view(BITS[dtype.itemsize])
        if values.dtype in SHORT:
            old = self._add_short(ptr, values, kept)
        else:
            builder = stock.InterpreterBuilder
            old = stock._interpreter.atomic_rmw(
                builder.ir_rmw_op_to_interpreter_rmw_op[op],
                ptr.data,
                np.ascontiguousarray(values),
                np.ascontiguousarray(kept),
                builder.ir_sem_to_interpreter_sem[sem],
            )
        self._leave_atomic(ptr, before)
        return Handle(old.view(dtype), val.dtype.scalar)

    def create_atomic_cas(
        self, ptr: Handle, cmp: Handle, val: Handle, sem: Any, scope: Any
    ) -> Handle:
        """Compare and swap by bits; gives back what was there before."""
        dtype = cmp.data.dtype
        bits = BITS[dtype.itemsize]
        self._enter_atomic(ptr.data, dtype.itemsize, ptr.origin)
        before = self._peek(ptr)
        self._synchronize(ptr, sem, scope)
        old = stock._interpreter.atomic_cas(
            ptr.data,
            np.ascontiguousarray(np.broadcast_to(cmp.data, ptr.data.shape)).view(bits),
            np.ascontiguousarray(np.broadcast_to(val.data, ptr.data.shape)).view(bits),
            stock.InterpreterBuilder.ir_sem_to_interpreter_sem[sem],
        )
        self._leave_atomic(ptr, before)
        return Handle(old.view(dtype), cmp.dtype.scalar)

    def _enter_atomic(self, addresses: Array, size: int, origin: Region | None) -> bool:
        """Check bounds and count bytes; False where every lane is switched off."""
        if addresses.size == 0:
            return False
        for _ in self.launch.storages.accesses(addresses, size, origin, "atomic"):
            pass
        self.launch.atomics = True
        self.launch.watch.bytes_loaded += addresses.size * size
        self.launch.watch.bytes_stored += addresses.size * size
        return True

    def _synchronize(self, ptr: Handle, sem: Any, scope: Any) -> None:
        """Order programs by a counter or a lock; blocks of atomics add up, they order nothing."""
        if ptr.data.size == 1 and scope != ir.MEM_SYNC_SCOPE.CTA:
            self.launch.synchronize(
                int(ptr.data.flat[0]), acquires=sem in _ACQUIRING, releases=sem in _RELEASING
            )

    def _peek(self, ptr: Handle) -> bytes | None:
        """Bytes behind a single pointer, where a watch for spinning needs to compare them."""
        if self.launch.patience is None or ptr.data.size != 1:
            return None
        size = numpy_dtype(ptr.get_element_ty()).itemsize
        (access,) = self.launch.storages.accesses(ptr.data, size, ptr.origin, "atomic")
        return bytes(access.region.view(BITS[size])[access.index])

    def _leave_atomic(self, ptr: Handle, before: bytes | None) -> None:
        if self.launch.patience is None:
            return
        if before is not None and before == self._peek(ptr):
            self.launch.patience.look(int(ptr.data.flat[0]))
        else:
            self.launch.patience.progress()

    def _add_short(self, ptr: Handle, values: Array, kept: Array) -> Array:
        """Atomic addition in a format that Triton's interpreter does not know, lane by lane."""
        dtype = values.dtype
        old = np.zeros(ptr.data.shape, dtype=dtype)
        lanes = np.flatnonzero(kept)
        addresses, flat = ptr.data.reshape(-1), values.reshape(-1)
        for access in self.launch.storages.accesses(
            addresses[lanes], dtype.itemsize, ptr.origin, "atomic"
        ):
            view = access.region.view(dtype)
            mine = lanes if access.lanes is None else lanes[access.lanes]
            for lane, place in zip(mine, access.index.reshape(-1), strict=True):
                old.flat[lane] = view[place]
                view[place] = view[place] + flat[lane]
        return old
