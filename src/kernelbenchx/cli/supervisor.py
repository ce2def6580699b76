"""Runs the command in a child process, and ends everything within 3 s of a signal.

The child may be anywhere: inside a C library, in an import, in code that swallows exceptions. This
process does nothing but wait, so it can always end the child and every process below it.
"""

import atexit
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Collection
from types import FrameType
from typing import NoReturn

from kernelbenchx.worker import capabilities, processes

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GRACE_S = 1.2
"""For the command to close its database and remove its files; results are stored before."""
LAST_S = 1.3
"""For the kernel to take processes apart; those with a GPU take longest."""

_interrupted = False


def run_in_child() -> None:
    """Return in a child; this process waits for it and exits with its code.

    After a signal the code is 128 plus its number. A signal that was ignored stays so.
    """
    heeded = {one for one in SIGNALS if signal.getsignal(one) != signal.SIG_IGN}
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {*heeded, signal.SIGCHLD})
    supervisor = os.getpid()
    child = os.fork()
    if child:
        os._exit(_supervise(child, heeded))
    if sys.platform == "linux":
        capabilities.die_with_parent()
        if os.getppid() != supervisor:
            os._exit(1)
    for one in heeded:  # nothing has begun that must be closed
        signal.signal(one, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def run_until_signal(command: Callable[[], None]) -> None:
    """Make the first signal a KeyboardInterrupt, and end this process once it has passed."""
    for one in SIGNALS:
        if signal.getsignal(one) != signal.SIG_IGN:
            signal.signal(one, _interrupt)
    try:
        command()
    finally:
        if _interrupted:  # whatever an import or a library turned it into
            _leave()


def _interrupt(number: int, _frame: FrameType | None) -> None:
    global _interrupted
    if not _interrupted:
        _interrupted = True
        os.kill(os.getppid(), number)  # where only this process got the signal
        raise KeyboardInterrupt


def _leave() -> NoReturn:
    """Without taking modules apart, which takes a second where torch is loaded."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    atexit._run_exitfuncs()
    os._exit(130)


def _supervise(child: int, heeded: Collection[int]) -> int:
    """Wait for the child, at most `GRACE_S` after a signal; its exit code as a shell has it."""
    if sys.platform == "linux":
        capabilities.adopt_orphans()
    awaited = {*heeded, signal.SIGCHLD}
    number, deadline = 0, 0.0
    while (status := _reap(child)) is None:
        left = deadline - time.monotonic()
        if number and left <= 0:
            break
        got = signal.sigtimedwait(awaited, left) if number else signal.sigwaitinfo(awaited)
        if got is not None and got.si_signo in heeded and not number:
            number, deadline = got.si_signo, time.monotonic() + GRACE_S
            os.kill(child, number)
    by_itself = status is not None and os.WIFEXITED(status)
    if not number and status is not None and os.WTERMSIG(status) in heeded:
        number = os.WTERMSIG(status)  # the child got the signal first
    if number or not by_itself:
        _end_all()
    if number or status is None:
        print("kbx: stopped; finished results are kept", file=sys.stderr, flush=True)
        return 128 + number
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _reap(child: int) -> int | None:
    """The status of the child if it has ended; orphans below it are ours to reap, too."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return None
        if pid == child:
            return status
        if pid == 0:
            return None


def _end_all() -> None:
    """Kill every process below this one, and wait until they are gone."""
    deadline = time.monotonic() + LAST_S
    while time.monotonic() < deadline:
        for pid in processes.family(os.getpid()) - {os.getpid()}:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)
