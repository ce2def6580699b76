"""Busy waiting: a processor that sleeps takes longer to wake than many kernels run."""

import os
import select
import socket
import time

_FEWEST_PROCESSORS = 8
"""With fewer, busy waiting would take time from the processes that work."""


def wait_awake(connection: socket.socket, most_s: float) -> None:
    """Return as soon as there is something to read, or after a time limit."""
    if (os.cpu_count() or 1) < _FEWEST_PROCESSORS:
        return
    poll = _poll(connection)
    until = time.monotonic() + most_s
    while not poll.poll(0) and time.monotonic() < until:
        pass


def readable(connection: socket.socket) -> bool:
    """Whether there is something to read now, or the other side has closed."""
    return bool(_poll(connection).poll(0))


def _poll(connection: socket.socket) -> select.poll:
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return poll
