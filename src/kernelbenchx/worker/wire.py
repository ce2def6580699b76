"""Messages over a unix stream socket: JSON, raw bytes, descriptors; the sender may be hostile."""

import json
import os
import select
import socket
import struct
import time
from array import array
from dataclasses import dataclass, field
from typing import Any

_LENGTHS = struct.Struct("=II")
_CLOSE_ON_EXEC = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
_CHUNK = 1 << 20
MOST_BYTES = 1 << 20
"""What a message may hold unless the receiver says otherwise."""
MOST_HEADER_BYTES = 1 << 20
"""Parsed JSON takes many times its length: what is large belongs into the body."""


class BadMessage(ValueError):
    """The other side sent an invalid message, or a larger one than was asked for."""


@dataclass(frozen=True)
class WireMessage:
    """A header, bytes that belong to it, and descriptors that are now the receiver's."""

    header: dict[str, Any]
    body: bytes = b""
    descriptors: tuple[int, ...] = field(default=())


def send(connection: socket.socket, message: WireMessage) -> None:
    """Send one message; descriptors stay the sender's too.

    Where the connection has a timeout and the other side does not read, `TimeoutError`: part of the
    message may have gone out, so the connection is of no more use.
    """
    header = json.dumps(message.header).encode()
    data = _LENGTHS.pack(len(header), len(message.body)) + header + message.body
    if message.descriptors:
        sent = socket.send_fds(connection, [data], list(message.descriptors))
        data = data[sent:]
    if data:  # the other side may have closed the connection with what it wanted
        connection.sendall(data)


def receive(
    connection: socket.socket, most: int = MOST_BYTES, *, descriptors: int = 0
) -> WireMessage | None:
    """The next message; None when the other side has closed, also in the middle of a message.

    `BadMessage`: more than `most` bytes are announced, the header is not a JSON object, or more
    than `descriptors` came along. Where the connection has a timeout, the whole message has to
    arrive within it, else `TimeoutError`. After either the connection is of no more use.
    Descriptors of a message that is not returned are closed.
    """
    deadline = _deadline(connection)
    received: list[int] = []
    try:
        _wait_for_data(connection, deadline)
        data, received, complete = _begin(connection, descriptors)
        if not complete:
            raise BadMessage(f"more than {descriptors} descriptors came with a message")
        parts = _header_and_body(connection, data, most, deadline) if data else None
        if parts is None:
            return None
        message = WireMessage(*parts, tuple(received))
        received = []
    except ConnectionResetError:  # it went without reading what we had sent
        return None
    finally:
        for descriptor in received:
            os.close(descriptor)
    return message


def _begin(connection: socket.socket, most: int) -> tuple[bytes, list[int], bool]:
    """The first bytes, at most so many descriptors, and whether those were all.

    Not by `socket.recv_fds`, which does not pass on its flags.
    """
    descriptors = array("i")
    room = socket.CMSG_LEN(most * descriptors.itemsize)
    data, ancillary, flags, _ = connection.recvmsg(_LENGTHS.size, room, _CLOSE_ON_EXEC)
    for level, kind, content in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(content[: len(content) - len(content) % descriptors.itemsize])
    return data, list(descriptors), not flags & socket.MSG_CTRUNC


def _header_and_body(
    connection: socket.socket, begun: bytes, most: int, deadline: float | None
) -> tuple[dict[str, Any], bytes] | None:
    lengths = begun + _exactly(connection, _LENGTHS.size - len(begun), deadline)
    if len(lengths) < _LENGTHS.size:
        return None
    header_length, body_length = _LENGTHS.unpack(lengths)
    if header_length + body_length > most or header_length > MOST_HEADER_BYTES:
        raise BadMessage(f"a message of {header_length} + {body_length} bytes: {most} are allowed")
    text = _exactly(connection, header_length, deadline)
    body = _exactly(connection, body_length, deadline)
    if len(text) + len(body) < header_length + body_length:
        return None
    return _parse_header(text), body


def _parse_header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"a header that is not JSON: {type(error).__name__}") from None
    if not isinstance(header, dict):
        raise BadMessage(f"a header that is no object but {type(header).__name__}")
    return header


def _exactly(connection: socket.socket, count: int, deadline: float | None) -> bytes:
    """This many bytes, or fewer when the other side closes the connection."""
    data = bytearray()
    while len(data) < count:
        _wait_for_data(connection, deadline)
        # Descriptors sent along with these bytes have nowhere to go: the kernel closes them.
        chunk = connection.recv(min(count - len(data), _CHUNK))
        if not chunk:
            break
        data += chunk
    return bytes(data)


def _deadline(connection: socket.socket) -> float | None:
    limit_s = connection.gettimeout()
    return None if limit_s is None else time.monotonic() + limit_s


def _wait_for_data(connection: socket.socket, deadline: float | None) -> None:
    """Wait for data until a deadline; the socket's own timeout restarts with each byte."""
    if deadline is None:
        return
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise TimeoutError("no whole message within the time limit")
