"""`kill -9` at any point of `kbx generate`, and a second start: the rows are those of one start."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cli_types import Kbx
from generate.loopback import Answer, Asked, Loopback, Say
from kernelbenchx.catalog.witness import witness_source

RIGHT = f"```python\n{witness_source('activation/relu')}```"
BROKEN = "```python\nimport triton\n\ndef {}(input, inplace=False):\n    return missing{}\n```"
TASKS = ("relu", "gelu", "selu")
CLOCKS = {"created", "seconds", "tries"}


def _script(asked: Asked) -> Answer:
    """A function of the conversation alone, as a model at temperature 0 is."""
    if "# relu\n" in asked.prompt:
        return Say(RIGHT)
    return Say(BROKEN.format("gelu", len(asked.prompt)))


def _command(server: Loopback, out: Path, *words: str) -> list[str]:
    return ["generate", "--model", "openai:m", "--base-url", server.url, "--out", str(out),
            "--tasks", ",".join(TASKS), "--device", "interpreter", "--seed", "7",
            *words]  # fmt: skip


def _rows(out: Path) -> dict[str, list[str]]:
    """Everything in the run, clocks aside."""
    with closing(sqlite3.connect(out / "run.sqlite")) as connection:
        connection.row_factory = sqlite3.Row
        tables = [name for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'")]  # fmt: skip
        return {
            table: sorted(json.dumps(_timeless(dict(row))) for row in connection.execute(
                f"SELECT * FROM {table}"))
            for table in tables
        }  # fmt: skip


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _timeless(item) for name, item in value.items() if name not in CLOCKS}
    if isinstance(value, list):
        return [_timeless(item) for item in value]
    if isinstance(value, str) and value.startswith("{"):
        return _timeless(json.loads(value))
    return value


def _killed(server: Loopback, words: list[str], requests: int, wait_s: float) -> bool:
    """Start it, and end it the hard way some time after it has made so many requests.

    False where it had come to its end before.
    """
    wanted = len(server.asked) + requests
    process = subprocess.Popen(
        [sys.executable, "-m", "kernelbenchx", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 120
    while len(server.asked) < wanted and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)
    time.sleep(random.uniform(0.0, wait_s))
    os.kill(process.pid, signal.SIGKILL)
    ended = process.wait()
    assert ended in (-signal.SIGKILL, 0)
    return ended != 0


ONE_SHOT = ("one_shot",)
REFINE = ("refine", "-o", "rounds=3", "--stage", "check")
CALLED = ("refine", "-o", "rounds=2", "--stage", "call")
"""Kernels are called, so that feedback rests on evaluations of its own."""


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize(
    ("method", "points"),
    [
        # While the first is asked, after the second, and while workers start or run.
        (ONE_SHOT, ((1, 0.0), (2, 0.1), (0, 4.0))),
        (REFINE, ((2, 0.1), (3, 0.1))),
        (CALLED, ((3, 2.0), (0, 4.0))),
    ],
    ids=["one_shot", "refine", "refine with calls"],
)
def test_a_second_start_after_kill_9_ends_in_the_same_rows(
    kbx_here: Kbx,
    tmp_path: Path,
    method: tuple[str, ...],
    points: tuple[tuple[int, float], ...],
) -> None:
    with Loopback(_script) as server:
        whole = kbx_here(*_command(server, tmp_path / "whole", "--method", *method))
        assert whole.returncode == 0, whole.stderr
        words = _command(server, tmp_path / "pieces", "--method", *method, "--in-flight", "1")
        killed = [_killed(server, words, requests, wait_s) for requests, wait_s in points]
        assert killed[0]
        again = kbx_here(*words)
    assert again.returncode == 0, again.stderr
    expected, found = _rows(tmp_path / "whole"), _rows(tmp_path / "pieces")
    assert expected["evaluations"] and expected["exchanges"]
    assert bool(expected["feedback"]) == (method is CALLED)
    # What a killed process had sent may have been paid for, and counts. Each task asks once at a
    # time: one request is on its way, and the replies of the others may not be kept yet.
    assert not expected.pop("pending_requests")
    assert len(found.pop("pending_requests")) <= len(points) * len(TASKS)
    assert found == expected
