"""The memory passed to a launch: which storage an address lies in, and access to it."""

from __future__ import annotations

import ctypes
import gc
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from .dtypes import Array
from .errors import OutOfBounds, line_of_kernel
from .ordering import Ordering
from .races import Shadow

__all__ = ["Access", "Region", "Storages"]


class Region:
    """One torch storage, under the name of the first argument that brought it."""

    def __init__(self, name: str, tensor: Any, order: Ordering) -> None:
        storage = tensor.untyped_storage()
        start, nbytes = int(storage.data_ptr()), int(storage.nbytes())
        self.name = name
        self.start = start
        self.nbytes = nbytes
        self.base = np.uint64(start)
        self.first = int(tensor.data_ptr())
        self.shape = tuple(int(n) for n in tensor.shape)
        self.dtype = str(tensor.dtype).removeprefix("torch.")
        self.itemsize = int(tensor.element_size())
        self.shadow = Shadow(nbytes, self.itemsize, order)
        self._views: dict[np.dtype[Any], Array] = {}

    def view(self, dtype: np.dtype[Any]) -> Array:
        """Whole storage as an array of one type, without a copy."""
        found = self._views.get(dtype)
        if found is None:
            count = self.nbytes // dtype.itemsize
            memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(self.start)
            found = np.frombuffer(memoryview(memory), dtype=np.uint8).view(dtype)
            self._views[dtype] = found
        return found

    def holds(self, address: int, size: int) -> bool:
        """Whether an element of that size lies wholly inside."""
        return self.start <= address and address + size <= self.start + self.nbytes

    def distance(self, address: int) -> int:
        """Bytes between an address and this storage, 0 inside."""
        return max(self.start - address, address - (self.start + self.nbytes - 1), 0)

    def describe(self, address: int) -> str:
        """Where an address lies, counted in elements of the argument."""
        shape = ", ".join(map(str, self.shape))
        element = (address - self.first) // self.itemsize
        held = (self.start + self.nbytes - self.first) // self.itemsize
        # An expanded tensor has fewer elements than its shape says, a view may have more.
        note = "" if held == math.prod(self.shape) else f", {held} elements in memory"
        return f"element {element} of {self.name} ({self.dtype}[{shape}]{note})"


class Access:
    """The lanes of one load or store that fall into one storage."""

    __slots__ = ("index", "lanes", "region")

    def __init__(self, region: Region, index: Array, lanes: Array | None) -> None:
        self.region = region
        self.index = index
        """Element numbers inside the storage, counted in the size of the access."""
        self.lanes = lanes
        """Which of the addresses these are; None means all of them."""


class Storages:
    """All regions of one launch."""

    def __init__(self, order: Ordering, adopt: Callable[[Any], None]) -> None:
        self.regions: list[Region] = []
        self._by_start: dict[int, Region] = {}
        self._order = order
        self._adopt = adopt
        """Called for a tensor that came as an address in memory, before it is touched."""

    def add(self, name: str, tensor: Any) -> Region:
        """Register the storage behind a tensor; views of one storage share a region."""
        storage = tensor.untyped_storage()
        start, nbytes = int(storage.data_ptr()), int(storage.nbytes())
        known = self._by_start.get(start)
        if known is not None and known.nbytes == nbytes:
            return known
        region = Region(name, tensor, self._order)
        self._by_start[start] = region
        self.regions.append(region)
        return region

    def forget_accesses(self) -> None:
        """Forget all accesses: the launch starts again."""
        for region in self.regions:
            region.shadow = Shadow(region.nbytes, region.itemsize, self._order)

    def accesses(
        self, addresses: Array, size: int, origin: Region | None, kind: str
    ) -> Iterator[Access]:
        """Split flat, active addresses by storage; raise before anything outside is touched."""
        if origin is not None:
            offsets = addresses - origin.base
            # An address below the start wraps around to a huge offset: one test finds both.
            if int(offsets.max()) + size <= origin.nbytes:
                yield Access(origin, _index(offsets, size, kind), None)
                return
            raise self._error(addresses, size, origin, kind)
        yield from self._search(addresses, size, kind)

    def _search(self, addresses: Array, size: int, kind: str) -> list[Access]:
        """Search storages for pointers of an unknown tensor: chosen from several, or loaded."""
        found: list[Access] = []
        missing = np.ones(addresses.shape, dtype=bool)
        self._take(self.regions, found, addresses, size, kind, missing)
        while missing.any():
            home = self._find_living_tensor(int(addresses[missing].flat[0]), size)
            if home is None:
                raise self._error(addresses, size, None, kind)
            self._take([home], found, addresses, size, kind, missing)
        return found

    def _take(
        self,
        regions: list[Region],
        found: list[Access],
        addresses: Array,
        size: int,
        kind: str,
        missing: Array,
    ) -> None:
        """Move the lanes that fall into these storages from `missing` to `found`."""
        for region in regions:
            offsets = addresses - region.base
            inside = missing & (offsets < np.uint64(max(0, region.nbytes - size + 1)))
            if inside.any():
                found.append(Access(region, _index(offsets[inside], size, kind), inside))
                missing &= ~inside

    def _find_living_tensor(self, address: int, size: int) -> Region | None:
        """Storage of a living tensor whose address the kernel read from memory.

        A wrapper passes a list of tensors that way, as a tensor of addresses.
        """
        for one in gc.get_objects():
            if issubclass(type(one), torch.Tensor) and _holds(one, address, size):
                self._adopt(one)
                return self.add(f"tensor at {one.data_ptr():#x}", one)
        return None

    def _error(self, addresses: Array, size: int, origin: Region | None, kind: str) -> OutOfBounds:
        homes = self.regions if origin is None else [origin]
        flat = [int(a) for a in addresses.reshape(-1)]
        bad = [a for a in flat if not any(home.holds(a, size) for home in homes)]
        first = min(bad)
        line = line_of_kernel()
        where = "" if line is None else f", line {line}"
        near = min(homes, key=lambda home: home.distance(first), default=None)
        place = f"address {first:#x}" if near is None else near.describe(first)
        if near is not None and near.distance(first) > max(1 << 32, 16 * near.nbytes):
            place = f"address {first:#x}, far from every tensor"
        return OutOfBounds(
            f"{kind} outside the tensor: {place}{where}; {len(bad)} of {len(flat)} active lanes"
        )


def _holds(tensor: Any, address: int, size: int) -> bool:
    if tensor.layout is not torch.strided or tensor.device.type != "cpu":
        return False
    storage = tensor.untyped_storage()
    start = storage.data_ptr()
    return bool(start <= address and address + size <= start + storage.nbytes())


def _index(offsets: Array, size: int, kind: str) -> Array:
    if size == 1:
        return offsets.view(np.int64)
    if int(offsets.flat[0]) & (size - 1):
        raise OutOfBounds(f"{kind} at a misaligned address, line {line_of_kernel()}")
    return (offsets >> np.uint64(size.bit_length() - 1)).view(np.int64)
