"""The memory that a recorded call may touch: the storages of its arguments, what it allocates."""

from collections.abc import Mapping
from typing import Any

import torch

from ..values import DTYPES, dtype_name

ALIGNMENT = 16
"""Bytes; a kernel is compiled for pointers that are multiples of this, or for any."""


class NotReplayable(Exception):
    """A call cannot be written down as a plan; the message says why, for its author."""


class RecordedMemory:
    """Addresses as buffer and offset; everything known stays alive, so none is given out twice."""

    def __init__(self, storages: Mapping[int, torch.Tensor]) -> None:
        self.buffers: list[dict[str, Any]] = []
        self._spans: list[tuple[int, int, int]] = []
        self._kept: list[torch.Tensor] = []
        self._foreign: dict[int, str] = {}
        self._nothing: int | None = None
        self.device: torch.device | None = None
        with torch._C.DisableTorchFunction():
            for index, storage in storages.items():
                self.device = storage.device
                described = {"t": "argument", "storage": index, "nbytes": storage.numel()}
                self._add(described, storage.data_ptr(), storage)

    def note_allocation(self, tensor: torch.Tensor) -> None:
        """Note a tensor that the call allocated; memory of another device stays unknown."""
        with torch._C.DisableTorchFunction():
            if self.device is None:
                self.device = tensor.device
            if tensor.layout is not torch.strided or self.elsewhere(tensor):
                return
            storage = tensor.untyped_storage()
            described = {"t": "allocation", "nbytes": storage.nbytes()}
            self._add(described, storage.data_ptr(), tensor)

    def elsewhere(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor lies on another device than the call's arguments."""
        with torch._C.DisableTorchFunction():
            return self.device is not None and tensor.device != self.device

    def foreign(self, tensor: torch.Tensor, why: str) -> None:
        """Note memory that is not the call's own, and why a plan cannot use it."""
        with torch._C.DisableTorchFunction():
            self._kept.append(tensor)
            self._foreign[tensor.untyped_storage().data_ptr()] = why

    def holds(self, number: int) -> bool:
        """Whether a number is an address in this memory."""
        return any(start <= number < start + size for start, size, _ in self._spans)

    def place(self, address: int) -> tuple[int, int]:
        """Buffer of an address, and its offset in bytes."""
        for start, size, index in self._spans:
            if start <= address < start + size:
                return index, address - start
        why = self._foreign.get(address, "uses memory that was not made in this call")
        raise NotReplayable(why)

    def nothing(self) -> int:
        """A buffer without bytes, for tensors without elements."""
        if self._nothing is None:
            self._nothing = len(self.buffers)
            self.buffers.append({"t": "allocation", "nbytes": 0})
        return self._nothing

    def pointer(self, given: Any) -> dict[str, Any]:
        """A launch's pointer argument as buffer and offset."""
        with torch._C.DisableTorchFunction():
            address = int(given.data_ptr())
            empty = isinstance(given, torch.Tensor) and given.numel() == 0
        if address == 0 or empty:
            return {"t": "pointer", "buffer": self.nothing(), "offset": 0, "aligned": True}
        buffer, offset = self.place(address)
        aligned = address % ALIGNMENT == 0
        return {"t": "pointer", "buffer": buffer, "offset": offset, "aligned": aligned}

    def view(self, tensor: torch.Tensor) -> dict[str, Any]:
        """How a tensor lies in its buffer."""
        with torch._C.DisableTorchFunction():
            if tensor.layout is not torch.strided:
                raise NotReplayable(f"a tensor with the layout {tensor.layout}")
            if tensor.dtype not in DTYPES.values():
                raise NotReplayable(f"a tensor of the dtype {dtype_name(tensor.dtype)}")
            if tensor.is_conj() or tensor.is_neg():
                raise NotReplayable("a view that is conjugated or negated when it is read")
            if tensor.numel() == 0:
                buffer, offset = self.nothing(), 0
            else:
                buffer, offset = self.place(tensor.data_ptr())
            if offset % tensor.dtype.itemsize:
                raise NotReplayable("a tensor that lies between elements of its dtype")
            return {
                "buffer": buffer,
                "dtype": dtype_name(tensor.dtype),
                "shape": list(tensor.shape),
                "strides": list(tensor.stride()),
                "offset": offset // tensor.dtype.itemsize,
            }

    def _add(self, described: dict[str, Any], address: int, keeps: torch.Tensor) -> None:
        if not described["nbytes"]:
            return
        self._spans.append((address, int(described["nbytes"]), len(self.buffers)))
        self.buffers.append(described)
        self._kept.append(keeps)
