"""Reads what a CUDA binary holds from its ELF tables, without running or loading it."""

import struct

from kernelbenchx.worker.timing.cubin_variables import (
    INITIALISED,
    BadBinary,
    Section,
    sections_of,
    text,
    with_variables_at,
)

_SYMBOL = struct.Struct("<IBBHQQ")
_SYMBOL_TABLE, _FUNCTION = 2, 2
_COMMON = 0xFFF2
_WRITTEN_AND_LOADED = 3
_OWN_MEMORY = ".nv.global"
_SHARED = ".nv.shared"
_TWICE = ".nv.merc"
"""Newer GPUs have a second description of each section; variables that are there are refused."""
_MOST_SYMBOLS = 65536


class BadCubin(ValueError):
    """The bytes are no CUDA binary, or one that may not be replayed."""


def kernels_in(binary: bytes) -> frozenset[str]:
    """Names of the functions that it defines.

    A binary with variables of its own would keep them from one call to the next. It is refused,
    unless they can be moved to memory that is reset before every block.
    """
    try:
        sections = sections_of(binary)
        found = frozenset(_functions(binary, sections))
        with_variables_at(binary, lambda _: 0)
    except BadBinary as bad:
        raise BadCubin(str(bad)) from bad
    except BadCubin:
        raise
    except (struct.error, LookupError, ValueError, ArithmeticError) as error:
        raise BadCubin("a binary whose tables make no sense") from error
    if any(_keeps_memory(section) for section in sections):
        raise BadCubin("a binary that keeps memory between calls")
    return found


def _keeps_memory(section: Section) -> bool:
    if section.name == INITIALISED:
        return False
    name = section.name.removeprefix(_TWICE)
    writable = section.size > 0 and section.flags & _WRITTEN_AND_LOADED == _WRITTEN_AND_LOADED
    return name.startswith(_OWN_MEMORY) or (writable and not name.startswith(_SHARED))


def _functions(binary: bytes, sections: list[Section]) -> list[str]:
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
            if section == _COMMON:
                raise BadCubin("a binary that keeps memory between calls")
            if info & 0xF == _FUNCTION and section:
                found.append(text(binary, texts.start, texts.size, name))
    return found
