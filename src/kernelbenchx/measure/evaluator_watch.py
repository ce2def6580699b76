"""Ends a bench whose evaluator ended or was interrupted, also in the middle of a measurement."""

import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable
from functools import partial

from kernelbenchx.worker.processes import children, kill_tree

GRACE_S = 2.0
"""An idle bench sees the end by itself and cleans up."""


def end_with_evaluator(connection: socket.socket, grace_s: float = GRACE_S) -> None:
    """Watch the connection from a thread of its own, without overhead until the other end is
    closed. A killed evaluator closes it, too."""
    watch = partial(_wait_and_end, connection.fileno(), grace_s, partial(os._exit, 1))
    threading.Thread(target=watch, name="hang-up", daemon=True).start()


def _wait_and_end(descriptor: int, grace_s: float, end: Callable[[], None]) -> None:
    poll = select.poll()
    poll.register(descriptor, select.POLLRDHUP)
    poll.poll()
    time.sleep(grace_s)
    for child in children(os.getpid()):
        kill_tree(child)
    end()


def exit_silently_on_interrupt() -> None:
    """Exit without a message: Ctrl-C reaches all processes, and the evaluator reports it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
