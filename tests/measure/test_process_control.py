"""A stopped process stands still with all its threads, and nothing goes on in its place."""

import mmap
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kernelbenchx.measure.process_control import end, resume, stop
from kernelbenchx.worker.processes import descendants

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs pidfds")

COUNTS = """
import mmap, os, sys, threading, time
memory = mmap.mmap(int(sys.argv[1]), 0)
def count(place):
    while True:
        memory[place] = (memory[place] + 1) % 256
        time.sleep(0.0005)
for place in (0, 1):
    threading.Thread(target=count, args=(place,)).start()
"""
BEARS = (
    COUNTS
    + """
if os.fork() == 0:
    while True:
        time.sleep(0.001)
if os.fork() == 0:
    os._exit(0)
"""
)


class Counted:
    """A process that counts in memory that we see too."""

    def __init__(self, process: "subprocess.Popen[bytes]", memory: mmap.mmap) -> None:
        self.pid = process.pid
        self.process = os.pidfd_open(process.pid)
        self._child = process
        self._memory = memory

    def stands_still(self) -> bool:
        time.sleep(0.02)
        before = self._memory[:2]
        time.sleep(0.05)
        return self._memory[:2] == before

    def goes_on(self) -> bool:
        before = self._memory[:2]
        return eventually(lambda: self._memory[0] != before[0] and self._memory[1] != before[1])

    def ended(self) -> int:
        return self._child.wait(60.0)

    def end(self) -> int:
        self._child.kill()
        return self.ended()


def eventually(true: Callable[[], bool]) -> bool:
    until = time.monotonic() + 60
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.001)
    return True


@contextmanager
def counting(source: str) -> Iterator[Counted]:
    memory = os.memfd_create("counts")
    os.ftruncate(memory, 4096)
    process = subprocess.Popen([sys.executable, "-c", source, str(memory)], pass_fds=[memory])
    with mmap.mmap(memory, 4096) as mapped:
        counted = Counted(process, mapped)
        try:
            assert counted.goes_on()
            yield counted
        finally:
            counted.end()
            os.close(counted.process)
            os.close(memory)


def test_every_thread_stands_still_until_it_goes_on() -> None:
    with counting(COUNTS) as counted:
        assert not counted.stands_still()
        for _ in range(3):
            stop(counted.process)
            assert counted.stands_still()
            stop(counted.process)
            assert counted.stands_still()
            resume(counted.process)
            assert counted.goes_on()


def test_what_it_started_is_ended_and_what_has_ended_is_no_obstacle() -> None:
    with counting(BEARS) as counted:
        assert eventually(lambda: len(descendants(counted.pid, most=10)) == 2)
        for _ in range(2):
            stop(counted.process)
            assert counted.stands_still()
            states = [
                Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
                for pid in descendants(counted.pid, most=10)
            ]
            assert states == ["Z", "Z"]  # it cannot ask for them while it is stopped
            resume(counted.process)
            assert counted.goes_on()


def test_one_that_is_gone_is_no_error() -> None:
    with counting(COUNTS) as counted:
        assert counted.end() == -signal.SIGKILL
        stop(counted.process)
        resume(counted.process)


def test_who_cannot_be_stopped_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernelbenchx.measure.process_control._kill_descendants", lambda _: True)
    monkeypatch.setattr("kernelbenchx.measure.process_control._PATIENCE_S", 0.05)
    with counting(COUNTS) as counted:
        stop(counted.process)
        assert counted.ended() == -signal.SIGKILL


def test_one_that_is_ended_is_gone_when_it_is_said() -> None:
    with counting(COUNTS) as counted:
        end(counted.process)
        assert not Path(f"/proc/{counted.pid}").exists() or counted.ended() == -signal.SIGKILL
        end(counted.process)
