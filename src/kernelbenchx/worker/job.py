"""One running child as the zygote sees it: what it printed, what it uses, how it ended."""

import math
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import processes
from .limits import Limits
from .progress import Progress

# Beyond some depth a path has no name that can be opened: nothing may hide there.
_DEEPEST_FOLDER = 64
KEPT_LOG_BYTES = 32 * 1024
"""From each end of what a child printed."""
CANCELLED = "cancelled"
"""Ended because the trusted side asked for it."""


@dataclass
class Log:
    """The first and the last part of what a child printed."""

    descriptor: int
    total: int = 0
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)

    def drain(self) -> bool:
        """Read what is there now; False once no process can write any more."""
        # Bounded, so that one loud child cannot keep the parent from the others.
        for _ in range(16):
            try:
                data = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                return True
            if not data:
                return False
            self._keep(data)
        return True

    def text(self) -> bytes:
        """What was kept, with a note where something was left out."""
        left_out = self.total - len(self.head) - len(self.tail)
        note = f"\n[... {left_out} bytes left out ...]\n".encode() if left_out > 0 else b""
        return bytes(self.head) + note + bytes(self.tail)

    def _keep(self, data: bytes) -> None:
        self.total += len(data)
        room = KEPT_LOG_BYTES - len(self.head)
        self.head += data[:room]
        self.tail += data[room:] if room > 0 else data
        del self.tail[:-KEPT_LOG_BYTES]


@dataclass
class Job:
    """A child and everything the parent holds for it."""

    id: int
    pid: int
    slot: int
    limits: Limits
    log: Log
    status: int
    order: int
    result: int
    folder: str
    progress: Progress
    started: float = field(default_factory=time.monotonic)
    asks: bool = False
    """May end with `lazy_torch.NEEDS_LAZY_TORCH` and be started again."""
    over: str = ""
    """The limit that it was ended for, or `CANCELLED`."""
    is_long: bool = False
    """It has used `Limits.long_s`."""
    _looked: float = field(default_factory=time.monotonic)
    _used: float = 0.0
    _idle_s: float = 0.0
    _call: int = 0
    _idle_before_s: float = 0.0
    """Sleep before the current call."""

    def find_excess(self, tree: list[int], *, inherited_bytes: int, walk: bool) -> str:
        """The limit that this child and its descendants are over, or nothing.

        `inherited_bytes` came with the fork; `walk`: also look through its folder.
        """
        if time.monotonic() - self.started > self.limits.wall_s:
            return "wall"
        if spent := self._find_spent_time(tree):
            return spent
        if self.log.total > self.limits.log_bytes:
            return "log"
        if os.fstat(self.result).st_size > self.limits.result_bytes:
            return "result"
        if walk and _folder_is_over(self.folder, self.limits):
            return "scratch"
        if len(tree) > self.limits.processes:
            return "processes"
        held = sum(map(processes.private_bytes, tree)) - inherited_bytes
        return "memory" if held > self.limits.memory_bytes else ""

    def _find_spent_time(self, tree: list[int]) -> str:
        """The exceeded time limit; interpreted programs that ended count apart, as does sleep."""
        if math.isinf(self.limits.idle_s):
            return ""  # the kernel counts
        now, used = time.monotonic(), sum(map(processes.cpu_seconds, tree))
        if used == self._used and all(map(processes.is_waiting, tree)):
            self._idle_s += now - self._looked
        self._looked, self._used = now, used
        self.is_long = self.is_long or used + self._idle_s > self.limits.long_s
        if self._idle_s > self.limits.idle_s:
            return "idle"
        return self._over_cpu(used) or self._over_call(used)

    def _over_call(self, used: float) -> str:
        """The limit that the current call exceeds; calls that ended do not count any more."""
        call = self.progress.call
        if call.number != self._call:
            self._call, self._idle_before_s = call.number, self._idle_s
        if not call.number:
            return ""
        in_programs = max(0.0, self.progress.seconds - call.programs_before_s)
        if used - call.since_s - in_programs > self.limits.call_s:
            return "call"
        slept = self._idle_s - self._idle_before_s
        return "call_idle" if slept > self.limits.call_s else ""

    def _over_cpu(self, used: float) -> str:
        in_programs = min(self.progress.seconds, used)
        if used - in_programs > self.limits.cpu_s:
            return "cpu"
        return "programs" if in_programs > self.limits.program_s > 0 else ""

    def ending(self, status: int, usage: Any) -> dict[str, Any]:
        """How the child ended, for the trusted side."""
        setup = os.read(self.status, 4096)
        code = os.waitstatus_to_exitcode(status)
        cpu_s = usage.ru_utime + usage.ru_stime
        if self.over == CANCELLED and -code != signal.SIGKILL:
            self.over = ""  # it was faster
        if not self.over and os.fstat(self.result).st_size > self.limits.result_bytes:
            self.over = "result"
        # The first process of a namespace is deaf to SIGXCPU: there the hard limit kills it.
        spent = -code == signal.SIGKILL and cpu_s >= self.limits.cpu_s + self.limits.program_s
        if not self.over and (spent or -code == signal.SIGXCPU):
            self.over = self._over_cpu(cpu_s) or "cpu"
        return {
            "id": self.id,
            "exit_code": code if code >= 0 else None,
            "signal": -code if code < 0 else None,
            "over": self.over,
            "seconds": time.monotonic() - self.started,
            "cpu_seconds": cpu_s,
            "programs": self.progress.programs,
            "program_seconds": self.progress.seconds,
            "slowest_call_s": self.progress.call.slowest_s,
            "undefined": self.progress.undefined,
            "max_rss_bytes": usage.ru_maxrss * 1024,
            "fault": self._fault(setup),
        }

    def _fault(self, setup: bytes) -> str:
        """What went wrong before anything untrusted ran."""
        if setup == b"+" or (self.over == CANCELLED and not setup):
            return ""
        return setup.decode(errors="replace") or "died in set-up"

    def close(self) -> None:
        """Give back descriptors."""
        for descriptor in (self.log.descriptor, self.status, self.order, self.result):
            os.close(descriptor)


def remove_folder(folder: str) -> None:
    """Remove what a child left behind, however deep, and whatever rights it took away."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, "--", folder], check=False, stderr=subprocess.DEVNULL)


def _folder_is_over(folder: str, limits: Limits) -> bool:
    size = files = 0
    for where, folders, names in os.walk(folder):
        files += len(folders) + len(names)
        size += sum(_blocks(Path(where, name)) for name in names)
        too_deep = where.count("/") - folder.count("/") > _DEEPEST_FOLDER
        if too_deep or size > limits.scratch_bytes or files > limits.scratch_files:
            return True
    return False


def _blocks(path: Path) -> int:
    try:
        return path.lstat().st_blocks * 512
    except OSError:
        return 0
