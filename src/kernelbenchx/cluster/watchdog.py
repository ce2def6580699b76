"""Ends an actor whose raylet has ended; its workers end when their sockets close."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

LOOK_EVERY_S = 1.0


def read_start_time(pid: int) -> str:
    """When a process started, in ticks; empty if it does not exist, or is a zombie."""
    try:
        said = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    fields = said.rpartition(")")[2].split()  # a name may hold anything
    return "" if fields[0] in ("Z", "X") else fields[19]


def end_with_parent(
    end: Callable[[], object] = lambda: os._exit(1), every_s: float = LOOK_EVERY_S
) -> None:
    """Watch this process's parent from a thread; `end` is called once when it has ended.

    A process id may be given to another process, so the time of its start counts, too.
    """
    parent = os.getppid()
    started = read_start_time(parent)

    def watch() -> None:
        while os.getppid() == parent and read_start_time(parent) == started:
            time.sleep(every_s)
        end()

    threading.Thread(target=watch, name="kbx-raylet-watch", daemon=True).start()
