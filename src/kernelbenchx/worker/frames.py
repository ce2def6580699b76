"""Frames in files: a JSON header and raw bytes. Reading one can execute nothing.

magic ``KBX1`` | u32 header length | header, JSON | u64 payload length | payload
"""

import json
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAGIC = b"KBX1"
MAX_HEADER = 64 << 20
_HEADER = struct.Struct("<4sI")
_PAYLOAD = struct.Struct("<Q")


class Malformed(ValueError):
    """The bytes are not a sequence of frames."""


@dataclass(frozen=True)
class Frame:
    """One header with its bytes."""

    header: dict[str, Any]
    payload: memoryview


def pack(header: dict[str, Any], payload: bytes | bytearray | memoryview = b"") -> bytes:
    """One frame as bytes."""
    text = json.dumps(header, separators=(",", ":")).encode()
    return b"".join(
        (_HEADER.pack(MAGIC, len(text)), text, _PAYLOAD.pack(len(payload)), bytes(payload))
    )


def write_all(descriptor: int, data: bytes) -> None:
    """Write everything, however often the system writes less than asked."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def read_all(descriptor: int) -> bytes:
    """Everything from the start of a file, without trusting its position."""
    size = os.fstat(descriptor).st_size
    data, place = bytearray(), 0
    while place < size:
        piece = os.pread(descriptor, min(size - place, 1 << 26), place)
        if not piece:
            break
        data += piece
        place += len(piece)
    return bytes(data)


def unpack(data: bytes | memoryview) -> Iterator[Frame]:
    """Frames in order; raises `Malformed` at the first byte that does not fit."""
    view, place = memoryview(data), 0
    while place < len(view):
        header, place = _take_header(view, place)
        if place + _PAYLOAD.size > len(view):
            raise Malformed("a frame ends inside its payload length")
        (length,) = _PAYLOAD.unpack_from(view, place)
        place += _PAYLOAD.size
        if place + length > len(view):
            raise Malformed(f"a payload of {length} bytes is announced, fewer are there")
        yield Frame(header, view[place : place + length])
        place += length


def _take_header(view: memoryview, place: int) -> tuple[dict[str, Any], int]:
    if place + _HEADER.size > len(view):
        raise Malformed("a frame ends inside its header length")
    magic, length = _HEADER.unpack_from(view, place)
    place += _HEADER.size
    if magic != MAGIC:
        raise Malformed("a frame does not begin with its magic")
    if length > MAX_HEADER or place + length > len(view):
        raise Malformed(f"a header of {length} bytes is announced, fewer are there")
    try:
        header = json.loads(bytes(view[place : place + length]))
    except (ValueError, RecursionError) as error:
        raise Malformed(f"a header is not JSON: {error}") from error
    if not isinstance(header, dict):
        raise Malformed("a header is not an object")
    return header, place + length
