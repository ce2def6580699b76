"""Messages of the zygote about a child that still runs."""

import os
import socket

from . import processes, wire


def announce_start(connection: socket.socket, identifier: int, pid: int) -> None:
    """Send a descriptor of a child that exchanges messages, so that it can be stopped."""
    process = processes.open_pidfd(pid)
    descriptors = () if process is None else (process,)
    try:
        _say(connection, wire.WireMessage({"id": identifier, "started": True}, b"", descriptors))
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def announce_long(connection: socket.socket, identifier: int) -> None:
    """Report that the child has used the time after which other submissions may go first."""
    _say(connection, wire.WireMessage({"id": identifier, "long": True}))


def _say(connection: socket.socket, message: wire.WireMessage) -> None:
    """Send a notice; a lost connection is ignored here: the loop that serves it notices."""
    try:
        wire.send(connection, message)
    except BrokenPipeError:
        return
