"""What a CUDA binary holds, read from its ELF tables; nothing of it is run or loaded."""

import struct
from dataclasses import dataclass

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_MAGIC = b"\x7fELF\x02\x01"
"""64 bits, little-endian."""
_CUDA = 190
_SYMBOL_TABLE, _FUNCTION = 2, 2
_OWN_MEMORY = ".nv.global"
_MOST_SECTIONS = 4096
_MOST_SYMBOLS = 65536


class BadCubin(ValueError):
    """The bytes are no CUDA binary, or one that may not be replayed."""


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    start: int
    size: int
    link: int


def kernels_in(binary: bytes) -> frozenset[str]:
    """Names of the functions that it defines.

    A binary with variables of its own is refused: they would live from one call to the next.
    """
    try:
        sections = _sections(binary)
        found = frozenset(_functions(binary, sections))
    except BadCubin:
        raise
    except (struct.error, LookupError, ValueError, ArithmeticError) as error:
        raise BadCubin("a binary whose tables make no sense") from error
    if any(section.name == _OWN_MEMORY and section.size for section in sections):
        raise BadCubin("a binary that keeps memory between calls")
    return found


def _sections(binary: bytes) -> list[_Section]:
    fields = _HEADER.unpack_from(binary)
    if fields[0][:6] != _MAGIC or fields[2] != _CUDA:
        raise BadCubin("not a binary for CUDA")
    start, width, count, names_at = fields[6], fields[11], fields[12], fields[13]
    if width != _SECTION.size or not 0 < count <= _MOST_SECTIONS:
        raise BadCubin("a binary whose tables make no sense")
    raw = [_SECTION.unpack_from(binary, start + number * width) for number in range(count)]
    names = raw[names_at]
    return [
        _Section(_text(binary, names[4], names[5], one[0]), one[1], one[4], one[5], one[6])
        for one in raw
    ]


def _functions(binary: bytes, sections: list[_Section]) -> list[str]:
    found = []
    for table in sections:
        if table.kind != _SYMBOL_TABLE:
            continue
        texts, count = sections[table.link], table.size // _SYMBOL.size
        if count > _MOST_SYMBOLS:
            raise BadCubin("a binary whose tables make no sense")
        for number in range(count):
            name, info, _, section, _, _ = _SYMBOL.unpack_from(
                binary, table.start + number * _SYMBOL.size
            )
            if info & 0xF == _FUNCTION and section:
                found.append(_text(binary, texts.start, texts.size, name))
    return found


def _text(binary: bytes, start: int, size: int, at: int) -> str:
    if at >= size or start + size > len(binary):
        raise IndexError(at)
    end = binary.index(b"\0", start + at, start + size) if size else start
    return binary[start + at : end].decode("utf-8")
