"""Messages between the trusted side and the warm parent: JSON, raw bytes and descriptors."""

import json
import socket
import struct
from dataclasses import dataclass, field
from typing import Any

_LENGTHS = struct.Struct("=II")
_MOST_DESCRIPTORS = 8
_CLOSE_ON_EXEC = getattr(socket, "MSG_CMSG_CLOEXEC", 0)


@dataclass(frozen=True)
class Message:
    """A header, bytes that belong to it, and descriptors that are now the receiver's."""

    header: dict[str, Any]
    body: bytes = b""
    descriptors: tuple[int, ...] = field(default=())


def send(connection: socket.socket, message: Message) -> None:
    """Send one message; descriptors stay the sender's too."""
    header = json.dumps(message.header).encode()
    data = _LENGTHS.pack(len(header), len(message.body)) + header + message.body
    if message.descriptors:
        sent = socket.send_fds(connection, [data], list(message.descriptors))
        data = data[sent:]
    connection.sendall(data)


def receive(connection: socket.socket) -> Message | None:
    """The next message; None when the other side is gone."""
    data, descriptors, _, _ = socket.recv_fds(
        connection, _LENGTHS.size, _MOST_DESCRIPTORS, _CLOSE_ON_EXEC
    )
    lengths = data + _exactly(connection, _LENGTHS.size - len(data)) if data else b""
    if len(lengths) < _LENGTHS.size:
        return None
    header_length, body_length = _LENGTHS.unpack(lengths)
    rest = _exactly(connection, header_length + body_length)
    if len(rest) < header_length + body_length:
        return None
    header = json.loads(rest[:header_length])
    return Message(header, rest[header_length:], tuple(descriptors))


def _exactly(connection: socket.socket, count: int) -> bytes:
    """This many bytes, or fewer when the other side is gone."""
    data = bytearray()
    while len(data) < count:
        chunk = connection.recv(count - len(data))
        if not chunk:
            break
        data += chunk
    return bytes(data)
