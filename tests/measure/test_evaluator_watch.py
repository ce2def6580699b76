"""A bench in the middle of something ends with its evaluator, and so do its own children."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

_BENCH = """
import socket, subprocess, sys, time
from kernelbenchx.measure.evaluator_watch import end_with_evaluator
connection = socket.socket(fileno=int(sys.argv[1]))
end_with_evaluator(connection, 0.2)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"],
                         start_new_session=True)
print(child.pid, flush=True)
time.sleep(60)
"""
_EVALUATOR = """
import socket, subprocess, sys, time
ours, theirs = socket.socketpair()
bench = subprocess.Popen([sys.executable, "-c", sys.argv[1], str(theirs.fileno())],
                         pass_fds=[theirs.fileno()])
theirs.close()
print(bench.pid, flush=True)
time.sleep(60)
"""


def _is_gone(pid: int, within_s: float) -> bool:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False


def test_a_killed_evaluator_takes_its_bench_and_references_along() -> None:
    command = [sys.executable, "-c", _EVALUATOR, _BENCH]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as evaluator:
        assert evaluator.stdout is not None
        bench, child = (int(evaluator.stdout.readline()) for _ in range(2))
        assert not _is_gone(bench, 0.5), "it lives as long as its evaluator"
        evaluator.send_signal(signal.SIGKILL)
        evaluator.wait()
        assert _is_gone(child, 5.0) and _is_gone(bench, 5.0)


def test_one_whose_evaluator_lives_goes_on() -> None:
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-c", _BENCH, str(theirs.fileno())]
    with (
        ours,
        subprocess.Popen(command, pass_fds=[theirs.fileno()], stdout=subprocess.PIPE) as bench,
    ):
        theirs.close()
        assert bench.stdout is not None
        child = int(bench.stdout.readline())
        ours.send(b"a request")
        assert not _is_gone(bench.pid, 0.6)
        os.kill(child, signal.SIGKILL)
        bench.kill()
