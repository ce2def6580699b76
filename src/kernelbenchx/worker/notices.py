"""What the warm parent says of a child that still runs."""

import os
import socket

from . import processes, wire


def announce_start(connection: socket.socket, identifier: int, pid: int) -> None:
    """Give the other side a hold on a child that it talks with."""
    process = processes.open_pidfd(pid)
    descriptors = () if process is None else (process,)
    try:
        _say(connection, wire.WireMessage({"id": identifier, "started": True}, b"", descriptors))
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def announce_long(connection: socket.socket, identifier: int) -> None:
    """The child has used the time after which others may go first."""
    _say(connection, wire.WireMessage({"id": identifier, "long": True}))


def _say(connection: socket.socket, message: wire.WireMessage) -> None:
    """Nobody may be there any more: the loop that serves the connection notices."""
    try:
        wire.send(connection, message)
    except BrokenPipeError:
        return
