"""Which memory holds what operators and kernels put there, and which was filled by other hands.

A wrapper that computes with numpy, or with torch behind the trace's back, has to bring the answer
back into memory that a kernel reads or that it returns. Memory that no operator made, and memory
whose bytes changed while neither an operator nor a kernel ran, is counted.
"""

import ctypes
import zlib
from collections.abc import Iterator
from typing import Any

import torch

SMALL_BYTES = 1024
"""A wrapper may bring this much with it in a call: sizes, strides, a few coefficients."""


class Provenance:
    """Memory by address, with a digest of what it held when it was last seen."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, int]] = {}
        self.foreign_bytes = 0

    def begin(self, given: Any) -> None:
        """A call starts with these arguments."""
        self.foreign_bytes = 0
        self.after(given)

    def before(self, given: Any) -> None:
        """An operator or a kernel is about to read these, or they are about to be returned."""
        for address, held in _places(given):
            if self._known.get(address) != held:
                self.foreign_bytes += held[0]
                self._known[address] = held

    def after(self, given: Any) -> None:
        """An operator or a kernel made or wrote these."""
        self._known.update(_places(given))

    @property
    def operators(self) -> dict[str, int]:
        """What the trace says of it, beside the operators of torch."""
        if self.foreign_bytes <= SMALL_BYTES:
            return {}
        return {"host.filled_memory": self.foreign_bytes}


def _tensors(value: Any, depth: int = 0) -> Iterator[torch.Tensor]:
    """Every tensor in nested arguments; a wrapper around a tensor shows it as `base`."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple) and depth < 8:
        for item in value:
            yield from _tensors(item, depth + 1)
    elif isinstance(value, dict) and depth < 8:
        for item in value.values():
            yield from _tensors(item, depth + 1)
    elif isinstance(getattr(value, "base", None), torch.Tensor):
        yield value.base


def _places(given: Any) -> Iterator[tuple[int, tuple[int, int]]]:
    """Address, size and digest of every tensor's memory."""
    with torch._C.DisableTorchFunction():
        for tensor in _tensors(given):
            if tensor.layout is not torch.strided or tensor.device.type == "meta":
                continue
            storage = tensor.untyped_storage()
            address, size = storage.data_ptr(), storage.nbytes()
            if size:
                yield address, (size, _digest(address, size) if tensor.device.type == "cpu" else 0)


def _digest(address: int, size: int) -> int:
    """Of memory of the host; a card's cannot be written by hand, and reading it would cost."""
    return zlib.crc32((ctypes.c_char * size).from_address(address))
