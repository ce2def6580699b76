"""Reads what a kernel needs from an NVIDIA binary: an ELF file with a section of attributes."""

import struct
from collections.abc import Iterator

_SECTION, _SYMBOL, _ATTRIBUTE = "<IIQQQQ", "<IBBHQQ", "<BBH"
_IS_KERNEL = 0x10
"""In a symbol: the host can launch it. A binary may also hold functions that the kernel calls."""
_HAS_VALUE = 4
"""Format of an attribute that is followed by its size and its bytes."""
_REGISTERS, _FRAME = 0x2F, 0x11
"""Attributes of a function: a symbol, then registers of a thread or bytes of its stack frame."""


class BrokenCubin(ValueError):
    """The bytes are not an NVIDIA binary with exactly one kernel."""


def registers_and_stack(binary: bytes) -> tuple[int, int]:
    """Registers of a thread and bytes of its stack, spilled registers included."""
    try:
        sections = dict(_sections(binary))
        (kernel,) = _kernels(sections[b".symtab"])
        found = dict(_attributes(sections[b".nv.info"], kernel))
        return found[_REGISTERS], found[_FRAME]
    except (struct.error, LookupError, ValueError) as error:
        raise BrokenCubin(f"not an NVIDIA binary with one kernel: {error!r}") from error


def _sections(binary: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Names and contents."""
    if binary[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    (table,) = struct.unpack_from("<Q", binary, 40)
    entry_bytes, entries, names = struct.unpack_from("<HHH", binary, 58)
    found = []
    for entry in range(entries):
        name, _, _, _, start, size = struct.unpack_from(
            _SECTION, binary, table + entry * entry_bytes
        )
        found.append((name, binary[start : start + size]))
    known = found[names][1]
    for name, content in found:
        yield known[name : known.index(b"\0", name)], content


def _kernels(symbols: bytes) -> list[int]:
    """Numbers of the symbols that are kernels."""
    known = struct.iter_unpack(_SYMBOL, symbols)
    return [number for number, (_, _, other, *_) in enumerate(known) if other & _IS_KERNEL]


def _attributes(section: bytes, kernel: int) -> Iterator[tuple[int, int]]:
    """Kind and number of those that are of the kernel."""
    at = 0
    while at + 4 <= len(section):
        shape, kind, size = struct.unpack_from(_ATTRIBUTE, section, at)
        at += 4
        if shape != _HAS_VALUE:
            continue
        if kind in (_REGISTERS, _FRAME):
            symbol, number = struct.unpack_from("<II", section, at)
            if symbol == kernel:
                yield kind, number
        at += size
