"""The process tree: seen, counted, ended."""

import os
import signal
import subprocess
import sys
import time

import pytest

from kernelbenchx.worker import processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

NESTED = "import subprocess, sys; subprocess.run(['sleep', '30'])"


def test_descendants_are_found_and_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", NESTED], start_new_session=True) as process:
        deadline = time.monotonic() + 10
        while len(found := processes.descendants(process.pid, most=10)) < 1:
            assert time.monotonic() < deadline
        assert process.pid in processes.children(os.getpid())
        assert processes.private_bytes(process.pid) > 0
        processes.kill_tree(process.pid)
        assert process.wait(5) == -signal.SIGKILL
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


def test_children_are_found_without_the_kernels_list() -> None:
    with subprocess.Popen(["sleep", "30"]) as process:
        assert process.pid in processes._children_by_scan(os.getpid())
        process.kill()
