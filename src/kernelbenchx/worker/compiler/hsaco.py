"""Reads the kernel's metadata from an AMD code object: an ELF note that holds MessagePack."""

import struct
from collections.abc import Iterator
from typing import Any

_NOTE_SEGMENT = 4
_AMDGPU_METADATA = 32
"""Note type of code objects from version 3 on."""


class BrokenCodeObject(ValueError):
    """The bytes are not an AMD code object with exactly one kernel."""


def kernel_metadata(binary: bytes) -> dict[str, Any]:
    """The metadata of the one kernel, by the names of the AMD ABI (`.vgpr_count`, ...)."""
    try:
        for name, kind, content in _notes(binary):
            if name == b"AMDGPU" and kind == _AMDGPU_METADATA:
                kernels = _Reader(content).value()["amdhsa.kernels"]
                (kernel,) = kernels
                return dict(kernel)
    except (struct.error, IndexError, KeyError, TypeError, ValueError) as error:
        raise BrokenCodeObject(f"not an AMD code object with one kernel: {error!r}") from error
    raise BrokenCodeObject("the code object has no AMDGPU metadata note")


def _notes(binary: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    if binary[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    (table,) = struct.unpack_from("<Q", binary, 32)
    entry_bytes, entries = struct.unpack_from("<HH", binary, 54)
    for entry in range(entries):
        kind, _, offset, _, _, size = struct.unpack_from(
            "<IIQQQQ", binary, table + entry * entry_bytes
        )
        if kind == _NOTE_SEGMENT:
            yield from _notes_of(binary[offset : offset + size])


def _notes_of(segment: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    at = 0
    while at + 12 <= len(segment):
        name_bytes, content_bytes, kind = struct.unpack_from("<III", segment, at)
        name_at = at + 12
        content_at = name_at + _round_up(name_bytes)
        name = segment[name_at : name_at + name_bytes].rstrip(b"\0")
        yield name, kind, segment[content_at : content_at + content_bytes]
        at = content_at + _round_up(content_bytes)


def _round_up(size: int) -> int:
    return (size + 3) & ~3


# MessagePack: tag of a value -> how its bytes, or the size before its content, are packed.
_NUMBERS = {
    0xCA: ">f", 0xCB: ">d",
    0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
    0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q",
}  # fmt: skip
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_SIZED = {
    0xC4: (">B", "bytes"), 0xC5: (">H", "bytes"), 0xC6: (">I", "bytes"),
    0xD9: (">B", "text"), 0xDA: (">H", "text"), 0xDB: (">I", "text"),
    0xDC: (">H", "list"), 0xDD: (">I", "list"),
    0xDE: (">H", "map"), 0xDF: (">I", "map"),
}  # fmt: skip


class _Reader:
    """The part of MessagePack that code objects use."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def value(self) -> Any:
        tag = self._number(">B")
        if tag < 0x80:
            return tag
        if tag < 0xC0:
            return self._short(tag)
        if tag >= 0xE0:
            return tag - 0x100
        if tag in _CONSTANTS:
            return _CONSTANTS[tag]
        if tag in _NUMBERS:
            return self._number(_NUMBERS[tag])
        if tag in _SIZED:
            size_format, kind = _SIZED[tag]
            return self._collection(kind, self._number(size_format))
        raise ValueError(f"unexpected MessagePack tag {tag:#x}")

    def _short(self, tag: int) -> Any:
        if tag >= 0xA0:
            return self._collection("text", tag & 0x1F)
        return self._collection("list" if tag >= 0x90 else "map", tag & 0x0F)

    def _collection(self, kind: str, size: int) -> Any:
        if kind == "list":
            return [self.value() for _ in range(size)]
        if kind == "map":
            return {self.value(): self.value() for _ in range(size)}
        taken = self._content[self._at : self._at + size]
        if len(taken) < size:
            raise ValueError("the note ends early")
        self._at += size
        return taken.decode() if kind == "text" else taken

    def _number(self, form: str) -> Any:
        (number,) = struct.unpack_from(form, self._content, self._at)
        self._at += struct.calcsize(form)
        return number
