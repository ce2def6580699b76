"""The process tree: seen, counted, ended."""

import os
import signal
import subprocess
import sys
import time

import pytest

from kernelbenchx.worker import processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

NESTED = "import subprocess, sys; subprocess.run(['sleep', '600'])"


def test_descendants_are_found_and_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", NESTED], start_new_session=True) as process:
        deadline = time.monotonic() + 60
        while len(found := processes.descendants(process.pid, most=10)) < 1:
            assert time.monotonic() < deadline
        assert process.pid in processes.children(os.getpid())
        assert processes.family(process.pid) == {process.pid, *found}
        assert processes.family(os.getpid()) >= {os.getpid(), process.pid, *found}
        assert os.getppid() not in processes.family(os.getpid())
        assert processes.private_bytes(process.pid) > 0
        processes.kill_tree(process.pid)
        assert process.wait(60.0) == -signal.SIGKILL
    while any(processes.private_bytes(pid) for pid in found):
        assert time.monotonic() < deadline


def test_counting_stops_at_the_limit() -> None:
    crowd = [subprocess.Popen(["sleep", "30"]) for _ in range(6)]
    try:
        assert len(processes.descendants(os.getpid(), most=2)) == 3
    finally:
        for process in crowd:
            process.kill()
            process.wait()


def test_a_process_that_is_gone_has_nothing() -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    assert processes.children(process.pid) == []
    assert processes.private_bytes(process.pid) == 0
    processes.kill_tree(process.pid)


def test_a_child_has_a_descriptor_and_one_that_is_gone_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with subprocess.Popen(["sleep", "30"]) as process:
        descriptor = processes.open_pidfd(process.pid)
        assert descriptor is not None and not os.get_inheritable(descriptor)
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        assert process.wait(60.0) == -signal.SIGKILL
        os.close(descriptor)
    assert processes.open_pidfd(process.pid) is None
    monkeypatch.delattr(os, "pidfd_open")
    assert processes.open_pidfd(os.getpid()) is None


STOPS = """
import os, signal, sys, time
from kernelbenchx.worker import processes
heard = []
signal.signal(signal.SIGCHLD, lambda *_: heard.append(1))
if sys.argv[1] == "ignored":
    processes.ignore_stops()
pid = os.fork()
if pid == 0:
    time.sleep(30)
for number in (signal.SIGSTOP, signal.SIGCONT):
    os.kill(pid, number)
    os.waitpid(pid, os.WUNTRACED | os.WCONTINUED)
    time.sleep(0.01)
stops = len(heard)
os.kill(pid, signal.SIGKILL)
os.waitpid(pid, 0)
time.sleep(0.01)
print(stops, len(heard) - stops)
"""


@pytest.mark.parametrize(("stops", "expected"), [("heard", "2 1\n"), ("ignored", "0 1\n")])
def test_only_endings_are_heard_of(stops: str, expected: str) -> None:
    command = [sys.executable, "-c", STOPS, stops]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == expected


def test_children_are_found_without_the_kernels_list() -> None:
    with subprocess.Popen(["sleep", "30"]) as process:
        assert process.pid in processes._children_by_scan(os.getpid())
        process.kill()
