"""Whatever a command does, a signal ends it and every process below it, and results are kept."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kernelbenchx.worker import capabilities, processes
from stopped_commands import heed_signals, stop

SAID = "kbx: stopped; finished results are kept\n"
START = """
import os, signal, sys, time
from kernelbenchx.cli.supervisor import run_in_child, run_until_signal
run_in_child()
"""
DEAF = """
def command():
    print("there", flush=True)
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
"""
IN_C = """
import re
def command():
    print("there", flush=True)
    re.match("(a*)*b", "a" * 64)
"""
PARENT_OF_DAEMON = """
def command():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (1, 2, 15):
                signal.signal(number, signal.SIG_IGN)
            print("there", flush=True)
            time.sleep(600)
        os._exit(0)
    time.sleep(600)
"""
TIDY = """
def command():
    try:
        print("there", flush=True)
        time.sleep(60)
    finally:
        print("removed", flush=True)
"""
SLOW_IMPORT = "print('there', flush=True)\ntime.sleep(60)\ndef command(): pass\n"


def _started(body: str, prepare: Callable[[], object]) -> "subprocess.Popen[str]":
    """A command below a supervisor, once it is there."""
    capabilities.adopt_orphans()
    process = subprocess.Popen(
        [sys.executable, "-c", f"{START}{body}\nrun_until_signal(command)"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=prepare,
        process_group=0,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "there\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("body", [DEAF, IN_C, PARENT_OF_DAEMON, TIDY, SLOW_IMPORT])
def test_a_signal_ends_everything(body: str, number: signal.Signals) -> None:
    process = _started(body, heed_signals)
    below = processes.family(process.pid) - {process.pid}
    assert below
    process.send_signal(number)
    said, complained = process.communicate(timeout=60)
    assert (process.returncode, complained) == (128 + number, SAID)
    assert said == ("removed\n" if body is TIDY else "")
    assert not [pid for pid in below if Path(f"/proc/{pid}").exists()]


def test_a_signal_to_the_command_alone_counts_too() -> None:
    process = _started(DEAF, heed_signals)
    (child,) = processes.children(process.pid)
    os.kill(child, signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM


def test_what_is_ignored_stays_ignored() -> None:
    """As of `nohup`, or of a shell's background jobs."""
    process = _started(
        TIDY.replace("60", "0.5"), lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
    )
    os.killpg(process.pid, signal.SIGINT)
    said, complained = process.communicate(timeout=60)
    assert (process.returncode, said, complained) == (0, "removed\n", "")


NEVER_ENDS = """
import torch
import triton
import triton.language as tl


@triton.jit
def k(x, y, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    i = 0
    while i >= 0:
        i = 0
    tl.store(y + at, tl.load(x + at, mask=at < n), mask=at < n)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = torch.empty_like(input)
    k[(1,)](input, y, input.numel(), B=16)
    return y
"""


@pytest.mark.parametrize("after_s", [0.3, 1.5, 8.0])
def test_an_evaluation_that_would_never_end_ends(tmp_path: Path, after_s: float) -> None:
    """As `stop` sees it, which returns when nothing of it is left."""
    (tmp_path / "relu.py").write_text(NEVER_ENDS)
    words = ["eval", tmp_path, "--device", "interpreter", "--out", tmp_path / "run"]
    ended = stop(words, after_s, signal.SIGTERM, tmp_path / "log")
    assert ended.in_time and ended.ended_by(signal.SIGTERM), ended
    assert "Traceback" not in ended.said
