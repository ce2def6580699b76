"""Stopping a process by its pidfd: no thread of it runs on, and nothing that it started is left."""

import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from kernelbenchx.worker.processes import descendants

_PATIENCE_S, _PAUSE_S = 2.0, 0.0005
"""Who is killed is not gone at once."""
_MOST_AT_ONCE = 1000
_ENDED = "ZX"


def stop(process: int) -> None:
    """From here on it makes no progress until `resume`; one that is gone is no error.

    What it started is ended: it could load the machine in its place, or make it go on. Where that
    has no end, the process is ended too.
    """
    until = time.monotonic() + _PATIENCE_S
    while _send_signal(process, signal.SIGSTOP) and _kill_descendants(process):
        if time.monotonic() > until:
            _send_signal(process, signal.SIGKILL)
            return
        time.sleep(_PAUSE_S)


def resume(process: int) -> None:
    """It goes on where it was stopped; one that is gone is no error."""
    _send_signal(process, signal.SIGCONT)


def end(process: int) -> None:
    """It is gone, and what it held on a card with it."""
    _send_signal(process, signal.SIGKILL)
    with suppress(OSError):
        select.select([process], [], [], _PATIENCE_S)  # a pidfd can be read when its process ended


def _send_signal(process: int, number: int) -> bool:
    """False where it is gone."""
    try:
        signal.pidfd_send_signal(process, number)
    except ProcessLookupError:
        return False
    return True


def _kill_descendants(process: int) -> bool:
    """Whether there were any."""
    pid = pid_of(process)
    if pid is None:
        return False
    found = [one for one in descendants(pid, most=_MOST_AT_ONCE) if _runs(one)]
    # As long as nobody has waited for the process, its number is not another's.
    if not _send_signal(process, 0):
        return False
    for one in found:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGKILL)
    return bool(found)


def pid_of(process: int) -> int | None:
    """The number of the process behind a pidfd; None when it is gone."""
    for line in Path(f"/proc/self/fdinfo/{process}").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "Pid":
            return int(value) if int(value) > 0 else None
    return None


def _runs(pid: int) -> bool:
    """A process that has ended stays in the tree until its parent, who is stopped, asks for it."""
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
