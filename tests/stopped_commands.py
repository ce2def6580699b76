"""Runs a command as a user does, sends it a signal at some moment, and sees what is left of it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from kernelbenchx.worker import capabilities, processes

LIMIT_S = 3.0
_GIVE_UP_S = 30.0


@dataclass(frozen=True)
class Stopped:
    """What became of a command."""

    code: int
    seconds: float
    """From the signal until the command and all its descendants were gone."""
    said: str
    in_time: bool
    """The signal came before the command had ended."""
    survivors: tuple[str, ...]
    """Command lines of what was still there after `LIMIT_S`."""

    def ended_by(self, number: int) -> bool:
        """Before kbx waits for signals, Python itself ends with this one, or cannot start."""
        starting = self.code == 1 and "KeyboardInterrupt" in self.said
        return self.code in (128 + number, -number) or starting


def stop(
    words: Collection[object],
    after_s: float,
    number: int,
    log: Path,
    *,
    to_group: bool = False,
    variables: Mapping[str, str] | None = None,
) -> Stopped:
    """Send the signal after so long: to the command, as `kill` does, or to its group, as Ctrl-C.

    Descendants that lose their parent become children of this process, so none is overlooked.
    """
    capabilities.adopt_orphans()
    others = processes.family(os.getpid())
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "kernelbenchx", *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, **(variables or {})},
            process_group=0,
            preexec_fn=heed_signals,
        )
    try:
        process.wait(after_s)
    except subprocess.TimeoutExpired:
        (os.killpg if to_group else os.kill)(process.pid, number)
        in_time = True
    else:
        in_time = False
    sent = time.monotonic()
    survivors: tuple[str, ...] = ()
    while left := _left(process, others):
        passed = time.monotonic() - sent
        if passed > LIMIT_S and not survivors:
            survivors = tuple(map(_command_line, left))
        for pid in left if passed > _GIVE_UP_S else ():
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.005)
    seconds = time.monotonic() - sent
    said = log.read_text("utf-8", errors="replace")
    return Stopped(process.returncode, seconds, said, in_time, survivors)


def heed_signals() -> None:
    """A shell's background jobs, and so their children, ignore an interrupt."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _left(process: "subprocess.Popen[bytes]", others: Collection[int]) -> set[int]:
    """The command and all that descends from it."""
    process.poll()
    for pid in processes.children(os.getpid()):
        if pid not in others and pid != process.pid:
            os.waitpid(pid, os.WNOHANG)
    return processes.family(os.getpid()).difference(others)


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:200]
    except OSError:
        return f"{pid}"
