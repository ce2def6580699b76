"""Moves variables of a CUDA binary into memory that can be reset before every call.

They would live from one call to the next where the driver puts them. Compilers need them for tables
of mathematical functions, too, so that refusing them would refuse much that is honest. Code finds
their addresses in a bank of constants, where a relocation puts them: the addresses are written
there instead, and the relocations taken out.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_ADDRESS = struct.Struct("<Q")
_SIZE_AT = 32
"""Where the header of a section says how large it is."""
_MAGIC = b"\x7fELF\x02\x01"
"""64 bits, little-endian."""
_CUDA = 190
_RELOCATIONS = 4
_PLAIN_RELOCATIONS = 9
_WHOLE_ADDRESS = 2
_MOST_SECTIONS = 4096
_MOST_ENTRIES = 65536
INITIALISED = ".nv.global.init"
_BANK = ".nv.constant4"


class BadBinary(ValueError):
    """The bytes are no CUDA binary, or its variables cannot be moved."""


@dataclass(frozen=True)
class Section:
    """One row of the table of sections."""

    name: str
    kind: int
    flags: int
    start: int
    size: int
    link: int
    info: int
    row: int
    """Where the row itself is."""


def sections_of(binary: bytes) -> list[Section]:
    """All sections; errors of `struct` and of indices mean that the table makes no sense."""
    fields = _HEADER.unpack_from(binary)
    if fields[0][:6] != _MAGIC or fields[2] != _CUDA:
        raise BadBinary("not a binary for CUDA")
    start, width, count, names_at = fields[6], fields[11], fields[12], fields[13]
    if width != _SECTION.size or not 0 < count <= _MOST_SECTIONS:
        raise BadBinary("a binary whose tables make no sense")
    rows = [start + number * width for number in range(count)]
    raw = [_SECTION.unpack_from(binary, row) for row in rows]
    names = raw[names_at]
    found = []
    for row, (name, kind, flags, _, at, size, link, info, _, _) in zip(rows, raw, strict=True):
        called = text(binary, names[4], names[5], name)
        found.append(Section(called, kind, flags, at, size, link, info, row))
    return found


def text(binary: bytes, start: int, size: int, at: int) -> str:
    """One name of a table of names."""
    if at >= size or start + size > len(binary):
        raise IndexError(at)
    end = binary.index(b"\0", start + at, start + size) if size else start
    return binary[start + at : end].decode("utf-8")


def with_variables_at(binary: bytes, place: Callable[[bytes], int]) -> bytes:
    """The same binary, with its variables where `place` has put their first values.

    Raises where its code may refer to them in another way.
    """
    sections = sections_of(binary)
    own = [number for number, one in enumerate(sections) if one.name == INITIALISED]
    if not own:
        return binary
    if len(own) > 1:
        raise BadBinary("variables in several places")
    where = sections[own[0]]
    data = binary[where.start : where.start + where.size]
    if len(data) != where.size:
        raise BadBinary("a binary whose tables make no sense")
    address, changed = place(data), bytearray(binary)
    for table in sections:
        if table.kind in (_RELOCATIONS, _PLAIN_RELOCATIONS):
            _redirect(binary, sections, table, (own[0], address), changed)
    _require_unknown(bytes(changed), own[0])
    return bytes(changed)


def _redirect(
    binary: bytes,
    sections: list[Section],
    table: Section,
    variables: tuple[int, int],
    changed: bytearray,
) -> None:
    """Write the addresses themselves in place of the relocations that ask for them."""
    number, address = variables
    kept = []
    for offset, kind, addend, symbol in _entries(binary, sections, table):
        if symbol[3] != number:
            kept.append(offset)
            continue
        target = sections[table.info]
        if (table.kind, target.name, kind) != (_RELOCATIONS, _BANK, _WHOLE_ADDRESS):
            raise BadBinary("variables that code knows of in a way of its own")
        at = _ADDRESS.unpack_from(binary, offset)[0]
        if at + _ADDRESS.size > target.size:
            raise BadBinary("a binary whose tables make no sense")
        _ADDRESS.pack_into(changed, target.start + at, address + symbol[4] + addend)
    if table.size and len(kept) * _RELOCATION.size < table.size - table.size % _RELOCATION.size:
        rest = b"".join(binary[one : one + _RELOCATION.size] for one in kept)
        changed[table.start : table.start + len(rest)] = rest
        _ADDRESS.pack_into(changed, table.row + _SIZE_AT, len(rest))


def _require_unknown(binary: bytes, number: int) -> None:
    """Raise if a relocation refers to this symbol now: tables that overlap may have changed."""
    sections = sections_of(binary)
    for table in sections:
        if table.kind in (_RELOCATIONS, _PLAIN_RELOCATIONS) and any(
            symbol[3] == number for *_, symbol in _entries(binary, sections, table)
        ):
            raise BadBinary("a binary whose tables make no sense")


def _entries(
    binary: bytes, sections: list[Section], table: Section
) -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
    """The place, kind, addend and symbol of each relocation."""
    width = _RELOCATION.size if table.kind == _RELOCATIONS else 2 * _ADDRESS.size
    symbols, count = sections[table.link], table.size // width
    if count > _MOST_ENTRIES:
        raise BadBinary("a binary whose tables make no sense")
    for offset in range(table.start, table.start + count * width, width):
        _, what, *addend = struct.unpack_from("<QQq"[: 1 + width // 8], binary, offset)
        place = symbols.start + (what >> 32) * _SYMBOL.size
        yield offset, what & 0xFFFFFFFF, sum(addend), _SYMBOL.unpack_from(binary, place)
