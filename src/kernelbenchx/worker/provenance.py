"""Which memory holds what operators and kernels wrote, and which was filled in other ways.

A wrapper that computes with numpy, or with torch outside the trace, has to bring the answer back
into memory that a kernel reads or that it returns. Memory that no operator made, and memory whose
bytes changed while neither an operator nor a kernel ran, is counted.
"""

import ctypes
import hashlib
import os
from collections.abc import Iterator
from typing import Any

import torch


class Provenance:
    """Memory by address, with a digest of what it held when it was last seen."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, bytes]] = {}
        self._key = os.urandom(16)
        """Drawn in the child: other bytes with the same digest cannot be chosen."""
        self.foreign_bytes = 0

    def begin(self, given: Any) -> None:
        """Begin a call with these arguments."""
        self.foreign_bytes = 0
        self.after(given)

    def before(self, given: Any) -> None:
        """Check memory that an operator or a kernel is about to read, or a call to return."""
        for address, held in self._places(given):
            if self._known.get(address) != held:
                self.foreign_bytes += held[0]
                self._known[address] = held

    def after(self, given: Any) -> None:
        """Note memory that an operator or a kernel made or wrote."""
        self._known.update(self._places(given))

    def _places(self, given: Any) -> Iterator[tuple[int, tuple[int, bytes]]]:
        """Address, size and digest of every tensor's memory."""
        with torch._C.DisableTorchFunction():
            for tensor in tensors_in(given):
                if tensor.layout is not torch.strided or tensor.device.type == "meta":
                    continue
                storage = tensor.untyped_storage()
                address, size = storage.data_ptr(), storage.nbytes()
                if size:
                    on_host = tensor.device.type == "cpu"
                    yield address, (size, self._digest(address, size) if on_host else b"")

    def _digest(self, address: int, size: int) -> bytes:
        """Digest of host memory; a GPU's cannot be written by hand, and reading it would cost."""
        held = (ctypes.c_char * size).from_address(address)
        return hashlib.blake2b(held, digest_size=8, key=self._key).digest()


def tensors_in(value: Any, depth: int = 0) -> Iterator[torch.Tensor]:
    """Every tensor in nested arguments; a wrapper around a tensor shows it as `base`."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple) and depth < 8:
        for item in value:
            yield from tensors_in(item, depth + 1)
    elif isinstance(value, dict) and depth < 8:
        for item in value.values():
            yield from tensors_in(item, depth + 1)
    elif isinstance(getattr(value, "base", None), torch.Tensor):
        yield value.base
