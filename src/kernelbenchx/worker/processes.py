"""Reads the process tree: which processes descend from which, and how much memory they hold."""

import os
import resource
import signal
import struct
import sys
import time
from collections.abc import Collection
from pathlib import Path

from . import libc

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")
_SWEEP_S = 5.0
_MOST_AT_ONCE = 10_000
# The C library's struct sigaction on 64-bit Linux: handler, mask, flags, restorer.
_ACTION_BYTES, _FLAGS_AT = 152, 136
_SA_NOCLDSTOP = 1


def children(pid: int) -> list[int]:
    """Direct children of a process; empty when it has ended.

    Called at each stop, for processes with many threads: `Path` objects would take most of the
    time.
    """
    try:
        with os.scandir(f"{_PROC}/{pid}/task") as threads:
            lists = [_content(f"{thread.path}/children") for thread in threads]
    except OSError:
        return []
    known = [text for text in lists if text is not None]
    if not known:
        return _children_by_scan(pid)
    return [int(word) for text in known for word in text.split()]


def _content(path: str) -> bytes | None:
    """None where the kernel has no such file, or its process has ended."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        return b"".join(iter(lambda: os.read(descriptor, 1 << 16), b""))
    except OSError:
        return None
    finally:
        os.close(descriptor)


def descendants(pid: int, *, most: int) -> list[int]:
    """Children, their children, and so on; stops counting soon after `most`: some trees grow."""
    found: list[int] = []
    waiting = children(pid)
    while waiting and len(found) <= most:
        one = waiting.pop()
        found.append(one)
        waiting += children(one)
    return found


def family(pid: int) -> set[int]:
    """A process and all its descendants by one look at all there are: of many with many threads
    that takes less than to ask each for its children."""
    children_of: dict[int, list[int]] = {}
    for one, parent in _parents().items():
        children_of.setdefault(parent, []).append(one)
    found, waiting = {pid}, [pid]
    while waiting:
        new = [one for one in children_of.get(waiting.pop(), ()) if one not in found]
        found.update(new)
        waiting += new
    return found


def private_bytes(pid: int) -> int:
    """Memory that a process holds for itself; 0 when it has ended."""
    try:
        _, resident, shared, *_ = (_PROC / str(pid) / "statm").read_text().split()
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared)) * resource.getpagesize()


def cpu_seconds(pid: int) -> float:
    """Processor time that a process and its threads used; 0 when it has ended."""
    words = _stat(pid)
    return (int(words[11]) + int(words[12])) / _TICKS if words else 0.0


def is_waiting(pid: int) -> bool:
    """Whether it neither runs nor wants to; False for one that has ended, or without /proc."""
    words = _stat(pid)
    return bool(words) and words[0] not in (b"R", b"D")


def _stat(pid: int) -> list[bytes]:
    """From its state on; the name of a program may hold spaces and brackets."""
    return (_content(f"{_PROC}/{pid}/stat") or b"").rpartition(b")")[2].split()


def kill_tree(pid: int) -> None:
    """End a process, its group and all its descendants."""
    # The kernel ends a whole group at once: even a tree that grows by the second.
    _kill_group(pid)
    for one in [*descendants(pid, most=_MOST_AT_ONCE), pid]:
        _kill_group(one)
        _kill(one)


def open_pidfd(pid: int) -> int | None:
    """A descriptor of a child of this process; None where the system has no pidfds."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def ignore_stops() -> None:
    """Get SIGCHLD for children that end, but not each time that one is stopped or continued."""
    if sys.platform != "linux":
        return
    action = libc.buffer(bytes(_ACTION_BYTES))
    libc.call("sigaction", signal.SIGCHLD, None, action)
    (flags,) = struct.unpack_from("=i", action, _FLAGS_AT)
    struct.pack_into("=i", action, _FLAGS_AT, flags | _SA_NOCLDSTOP)
    libc.call("sigaction", signal.SIGCHLD, action, None)


def sweep_orphans(known: Collection[int]) -> None:
    """End and reap every child of this process that is not known: left behind by a known one."""
    deadline = time.monotonic() + _SWEEP_S
    while time.monotonic() < deadline:
        strays = [pid for pid in children(os.getpid()) if pid not in known]
        if not strays:
            return
        for pid in strays:
            kill_tree(pid)
        for pid in strays:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                continue
        time.sleep(0.001)


def _kill_group(pid: int) -> None:
    """End the group of a process, unless it is our own or the process has ended."""
    try:
        group = os.getpgid(pid)
        if group != os.getpgrp():
            os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _children_by_scan(pid: int) -> list[int]:
    """Children of a process, for kernels that do not list them."""
    return [one for one, parent in _parents().items() if parent == pid]


def _parents() -> dict[int, int]:
    """Of all processes that can be seen."""
    found = {}
    with os.scandir(_PROC) as entries:
        numbers = [entry.name for entry in entries if entry.name.isdigit()]
    for number in numbers:
        words = _stat(int(number))
        if len(words) > 1:
            found[int(number)] = int(words[1])
    return found
