"""Plans, binaries and a launcher for tests: nothing here needs a card or a compiler."""

import ctypes
import hashlib
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kernelbenchx.worker.timing.launcher import Grid

Body = Callable[..., None]
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")


def elf(
    *kernels: str, machine: int = 190, own: str = ".bss", flags: int = 0, kind: int = 2,
    section: int = 1,
) -> bytes:  # fmt: skip
    """The tables of a binary that defines these functions, and a section of this name."""
    texts = b"\0" + b"".join(name.encode() + b"\0" for name in kernels)
    names = b"\0.text\0.symtab\0.strtab\0" + own.encode() + b"\0"
    symbols = _SYMBOL.pack(0, 0, 0, 0, 0, 0)
    for name in kernels:
        symbols += _SYMBOL.pack(texts.index(name.encode() + b"\0"), 0x10 | kind, 0, section, 0, 0)
    at = [64, 64 + len(texts), 64 + len(texts) + len(names)]
    table = at[2] + len(symbols)
    sections = [
        _SECTION.pack(0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        _SECTION.pack(names.index(b".text"), 1, 0, 0, 0, 0, 0, 0, 0, 0),
        _SECTION.pack(names.index(b".symtab"), 2, 0, 0, at[2], len(symbols), 3, 0, 0, 24),
        _SECTION.pack(names.index(b".strtab"), 3, 0, 0, at[0], len(texts), 0, 0, 0, 0),
        _SECTION.pack(names.index(b".symtab"), 3, 0, 0, at[1], len(names), 0, 0, 0, 0),
        _SECTION.pack(names.index(own.encode()), 8, flags, 0, 0, 4, 0, 0, 0, 0),
    ]
    head = struct.pack(
        "<16sHHIQQQIHHHHHH",
        b"\x7fELF\x02\x01\x01".ljust(16, b"\0"),
        *(2, machine, 1, 0, 0, table, 0, 64, 0, 0, 64, len(sections), 4),
    )
    return head + texts + names + symbols + b"".join(sections)


def digest_of(binary: bytes) -> str:
    return hashlib.sha256(binary).hexdigest()


def view(buffer: int, *shape: int, dtype: str = "float32", offset: int = 0) -> dict[str, Any]:
    """A contiguous tensor."""
    strides = [int(np.prod(shape[place + 1 :])) for place in range(len(shape))]
    return {
        "buffer": buffer,
        "dtype": dtype,
        "shape": list(shape),
        "strides": strides,
        "offset": offset,
    }


def pointer(buffer: int, offset: int = 0, *, aligned: bool = True) -> dict[str, Any]:
    return {"t": "pointer", "buffer": buffer, "offset": offset, "aligned": aligned}


def number(kind: str, value: int | str) -> dict[str, Any]:
    return {"t": "number", "type": kind, "value": value}


def launch(binary: bytes, kernel: str, *parameters: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "t": "launch",
        "cubin": digest_of(binary),
        "kernel": kernel,
        "grid": [1, 1, 1],
        "warps": 4,
        "shared": 0,
        "scratch": 0,
        "parameters": list(parameters),
        **more,
    }


BINARY = elf("_double", "_add")


def sample() -> dict[str, Any]:
    """Doubles 16 halves into a workspace of floats, adds that to ones, and returns the sum."""
    return {
        "buffers": [
            {"t": "argument", "storage": 0, "nbytes": 32},
            {"t": "allocation", "nbytes": 64},
            {"t": "allocation", "nbytes": 64},
        ],
        "steps": [
            {"t": "copy", "target": view(1, 16), "source": view(0, 16, dtype="float16")},
            {"t": "fill", "target": view(2, 16), "value": {"t": "float", "v": "0x1.0p+0"}},
            launch(BINARY, "_double", pointer(1), number("i32", 16)),
            launch(BINARY, "_add", pointer(2), pointer(1), number("fp32", "0x1.0p-1"), scratch=8),
        ],
        "cubins": [[digest_of(BINARY), len(BINARY)]],
        "result": {"t": "tensor", **view(2, 4, 4)},
    }


STORAGES = (32,)


class FakeLauncher:
    """Runs a Python function where a card would run the kernel of that name."""

    def __init__(self, **kernels: tuple[tuple[int, ...], Body]) -> None:
        self._kernels = kernels
        self.launched: list[str] = []

    def kernel(self, cubin: bytes, name: str, shared: int) -> "FakeKernel":
        assert cubin and shared >= 0
        return FakeKernel(name, *self._kernels[name], self.launched)


class FakeKernel:
    def __init__(self, name: str, sizes: tuple[int, ...], body: Body, launched: list[str]) -> None:
        self._name = name
        self.sizes = sizes
        self._body = body
        self._launched = launched

    def bound(
        self, grid: Grid, threads: int, shared: int, parameters: Sequence[bytes]
    ) -> Callable[[], None]:
        assert [len(one) for one in parameters] == list(self.sizes)
        assert 32 <= threads <= 1024 and shared >= 0

        def call() -> None:
            self._launched.append(self._name)
            self._body(grid, *parameters)

        return call


def floats(address: bytes, count: int) -> "np.ndarray[Any, np.dtype[np.float32]]":
    """Memory of the host behind a pointer that a kernel was given."""
    place = (ctypes.c_float * count).from_address(struct.unpack("<Q", address)[0])
    return np.frombuffer(memoryview(place).cast("B"), dtype=np.float32)


def _double(grid: Grid, work: bytes, count: bytes, *_scratch: bytes) -> None:
    floats(work, struct.unpack("<i", count)[0])[:] *= 2


def _add(grid: Grid, out: bytes, work: bytes, factor: bytes, *_scratch: bytes) -> None:
    floats(out, 16)[:] += struct.unpack("<f", factor)[0] * floats(work, 16)


KERNELS: dict[str, tuple[tuple[int, ...], Body]] = {
    "_double": ((8, 4, 8, 8), _double),
    "_add": ((8, 8, 4, 8, 8), _add),
}
"""What the kernels of the sample do: sizes of parameters as the compiler declares them."""
