"""Memory that two processes share: one allocation, passed on as a descriptor.

On a GPU it is device memory, mapped by both; without one a file in memory, so that timing runs on
any machine. Nothing else of either process is visible.
"""

import ctypes
import fcntl
import mmap
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

_PINNED, _POSIX_DESCRIPTOR, _ON_DEVICE, _READ_WRITE, _SMALLEST = 1, 1, 1, 3, 0


_ADD_SEALS, _SEALS = 1033, 0b0111
"""Of Linux: no further seals, no shrinking, no growing."""


class SharingFailed(RuntimeError):
    """The driver refused to make or map shared memory."""


@dataclass
class SharedMemory:
    """Bytes that both sides see."""

    size: int
    descriptor: int
    """Only in the process that made it; -1 in the other."""
    part: Callable[[int, int], torch.Tensor]
    """`part(start, size)`: bytes as a tensor with a storage of its own, as any other tensor has."""
    _release: Callable[[], None] | None = field(default=None, repr=False)

    @classmethod
    def create(cls, size: int, device: str) -> "SharedMemory":
        """New memory of at least `size` bytes."""
        where = torch.device(device)
        if where.type == "cuda":
            return _allocate_on_gpu(size, where)
        descriptor = sealed_file("exchange", size)
        return cls(size, descriptor, _parts_of_file(descriptor, size))

    @classmethod
    def attach(cls, descriptor: int, size: int, device: str) -> "SharedMemory":
        """Memory that the other side made; the descriptor is closed."""
        where = torch.device(device)
        try:
            if where.type == "cuda":
                return _import_handle(descriptor, size, where)
            return cls(size, -1, _parts_of_file(descriptor, size))
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Unmap it; tensors over it must not be used any more."""
        self.part = _raise_closed
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
        if self._release is not None:
            self._release()
            self._release = None


def sealed_file(name: str, size: int) -> int:
    """A file in memory whose size can no longer change.

    One that the other side made shorter would end this process when it reads there.
    """
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, size)
    fcntl.fcntl(descriptor, _ADD_SEALS, _SEALS)
    return descriptor


def _raise_closed(_start: int, _size: int) -> torch.Tensor:
    raise SharingFailed("the memory was given back")


def _parts_of_file(descriptor: int, size: int) -> Callable[[int, int], torch.Tensor]:
    mapped = mmap.mmap(descriptor, size)

    def part(start: int, length: int) -> torch.Tensor:
        if not length:
            return torch.empty(0, dtype=torch.uint8)
        return torch.frombuffer(mapped, dtype=torch.uint8, count=length, offset=start)

    return part


class _Location(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int), ("number", ctypes.c_int))


class _Flags(ctypes.Structure):
    _fields_ = (
        ("compression", ctypes.c_ubyte),
        ("rdma", ctypes.c_ubyte),
        ("usage", ctypes.c_ushort),
        ("reserved", ctypes.c_ubyte * 4),
    )


class _Properties(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_int),
        ("handles", ctypes.c_int),
        ("location", _Location),
        ("security", ctypes.c_void_p),
        ("flags", _Flags),
    )


class _AccessDescriptor(ctypes.Structure):
    _fields_ = (("location", _Location), ("flags", ctypes.c_int))


class _SharingDriver:
    """The calls of the CUDA driver that share memory."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")

    def __call__(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if code:
            raise SharingFailed(f"{name}: error {code}")


class _OnDevice:
    """Shows torch where the bytes lie; torch keeps no ownership of them."""

    def __init__(self, address: int, size: int) -> None:
        self.__cuda_array_interface__ = {
            "shape": (size,),
            "typestr": "|u1",
            "data": (address, False),
            "version": 3,
        }


def _round_to_granularity(size: int, driver: _SharingDriver, properties: _Properties) -> int:
    step = ctypes.c_size_t()
    driver("cuMemGetAllocationGranularity", ctypes.byref(step), ctypes.byref(properties), _SMALLEST)
    return -(-size // step.value) * step.value


def _properties(where: torch.device) -> _Properties:
    location = _Location(_ON_DEVICE, where.index or 0)
    return _Properties(_PINNED, _POSIX_DESCRIPTOR, location, None, _Flags())


def _allocate_on_gpu(size: int, where: torch.device) -> SharedMemory:
    torch.zeros(1, device=where)  # the driver needs a context
    driver, properties = _SharingDriver(), _properties(where)
    size = _round_to_granularity(size, driver, properties)
    handle, descriptor = ctypes.c_uint64(), ctypes.c_int()
    driver(
        "cuMemCreate",
        ctypes.byref(handle),
        ctypes.c_size_t(size),
        ctypes.byref(properties),
        ctypes.c_uint64(0),
    )
    driver(
        "cuMemExportToShareableHandle",
        ctypes.byref(descriptor),
        handle,
        _POSIX_DESCRIPTOR,
        ctypes.c_uint64(0),
    )
    part, release = _map_handle(driver, handle, size, where)
    return SharedMemory(size, descriptor.value, part, release)


def _import_handle(descriptor: int, size: int, where: torch.device) -> SharedMemory:
    torch.zeros(1, device=where)
    driver, handle = _SharingDriver(), ctypes.c_uint64()
    size = _round_to_granularity(size, driver, _properties(where))
    driver(
        "cuMemImportFromShareableHandle",
        ctypes.byref(handle),
        ctypes.c_void_p(descriptor),
        _POSIX_DESCRIPTOR,
    )
    part, release = _map_handle(driver, handle, size, where)
    return SharedMemory(size, -1, part, release)


def _map_handle(
    driver: _SharingDriver, handle: ctypes.c_uint64, size: int, where: torch.device
) -> tuple[Callable[[int, int], torch.Tensor], Callable[[], None]]:
    address, length, zero = ctypes.c_uint64(), ctypes.c_size_t(size), ctypes.c_uint64(0)
    driver("cuMemAddressReserve", ctypes.byref(address), length, ctypes.c_size_t(0), zero, zero)
    driver("cuMemMap", address, length, ctypes.c_size_t(0), handle, zero)
    access = _AccessDescriptor(_Location(_ON_DEVICE, where.index or 0), _READ_WRITE)
    driver("cuMemSetAccess", address, length, ctypes.byref(access), ctypes.c_size_t(1))

    def release() -> None:
        torch.cuda.synchronize(where)
        driver("cuMemUnmap", address, length)
        driver("cuMemAddressFree", address, length)
        driver("cuMemRelease", handle)

    def part(start: int, count: int) -> torch.Tensor:
        if not count:
            return torch.empty(0, dtype=torch.uint8, device=where)
        return torch.as_tensor(_OnDevice(address.value + start, count), device=where)

    return part, release
