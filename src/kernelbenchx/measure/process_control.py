"""Stops a process by its pidfd: none of its threads continues, and all that it started is ended."""

import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from kernelbenchx.worker.processes import descendants

_PATIENCE_S, _PAUSE_S = 2.0, 0.0005
"""A killed process takes a moment to end."""
_MOST_AT_ONCE = 1000
_ENDED = "ZX"


def stop(process: int) -> None:
    """Stop it: it makes no progress until `resume`; a process that has ended is no error.

    Its children are ended: they could load the machine in its place, or resume it. If it keeps
    starting new ones, the process is ended too.
    """
    until = time.monotonic() + _PATIENCE_S
    while _send_signal(process, signal.SIGSTOP) and _kill_descendants(process):
        if time.monotonic() > until:
            _send_signal(process, signal.SIGKILL)
            return
        time.sleep(_PAUSE_S)


def resume(process: int) -> None:
    """Let it run again; a process that has ended is no error."""
    _send_signal(process, signal.SIGCONT)


def end(process: int) -> None:
    """End it, and free what it held on a GPU."""
    _send_signal(process, signal.SIGKILL)
    with suppress(OSError):
        select.select([process], [], [], _PATIENCE_S)  # a pidfd can be read when its process ended


def _send_signal(process: int, number: int) -> bool:
    """Send a signal; False if the process has ended."""
    try:
        signal.pidfd_send_signal(process, number)
    except ProcessLookupError:
        return False
    return True


def _kill_descendants(process: int) -> bool:
    """Kill its descendants; returns whether there were any."""
    pid = pid_of(process)
    if pid is None:
        return False
    found = [one for one in descendants(pid, most=_MOST_AT_ONCE) if _runs(one)]
    # As long as the process has not been waited for, its number is not reused.
    if not _send_signal(process, 0):
        return False
    for one in found:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGKILL)
    return bool(found)


def pid_of(process: int) -> int | None:
    """The process id behind a pidfd; None if the process has ended."""
    for line in Path(f"/proc/self/fdinfo/{process}").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "Pid":
            return int(value) if int(value) > 0 else None
    return None


def _runs(pid: int) -> bool:
    """Whether it runs: an ended process stays in the tree until its stopped parent reaps it."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in _ENDED


def wait_or_kill(process: "subprocess.Popen[bytes]", patience_s: float) -> None:
    """Wait for its end; kill it where that takes too long."""
    try:
        process.wait(timeout=patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
