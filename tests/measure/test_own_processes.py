import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelbenchx.core.performance import Observation
from kernelbenchx.measure.own_processes import (
    SETTLE_S,
    observe_settled,
    own_processes,
    processes_of_runs,
)
from kernelbenchx.runner.gpu_users import Registration


def test_idle_workers_of_another_run_are_ours_and_other_processes_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KBX_GPU_LOCKS", str(tmp_path))
    program = """
import subprocess, sys, time
from pathlib import Path
from kernelbenchx.runner.gpu_users import Registration
if sys.argv[2] == "registered":
    kept = Registration("fake", "other", Path(sys.argv[1]))
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"],
                         start_new_session=True)
print(child.pid, flush=True)
time.sleep(60)
"""
    for kind, known in (("registered", True), ("foreign", False)):
        # Not a child of this process, as another run is not: else it would be of our family.
        command = [sys.executable, "-c", program, str(tmp_path), kind]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
            assert other.stdout is not None
            worker = int(other.stdout.readline())
            try:
                assert ({other.pid, worker} <= processes_of_runs("fake")) is known
                assert not {other.pid, worker} & processes_of_runs("another GPU")
            finally:
                os.kill(worker, 9)
                other.kill()
    assert processes_of_runs("") == set()


def test_a_bench_knows_itself_its_run_and_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KBX_GPU_LOCKS", str(tmp_path))
    monkeypatch.setattr(os, "getppid", os.getpid)
    kept = Registration("fake", "this", tmp_path)
    assert own_processes("fake") >= {os.getpid()}
    kept.close()


def _seen(*others: int) -> Iterator[Observation]:
    for count in others:
        yield Observation(other_processes=count)


@pytest.mark.parametrize(
    ("others", "looks", "left"), [((0,), 1, 0), ((2, 1, 0, 5), 3, 0), ((1,) * 50, 26, 1)]
)
def test_processes_of_a_killed_run_are_waited_for_and_others_are_not_for_long(
    others: tuple[int, ...], looks: int, left: int
) -> None:
    now, seen = [0.0], _seen(*others)

    def pause(_seconds: float) -> None:
        now[0] += SETTLE_S / 25

    found = observe_settled(lambda: next(seen), lambda: now[0], pause)
    assert found.other_processes == left
    assert len(list(seen)) == len(others) - looks


def test_a_foreign_process_that_was_seen_counts_until_there_is_none() -> None:
    now, seen = [0.0], [Observation(other_processes=1), *[Observation()] * 3]

    def pause(_seconds: float) -> None:
        now[0] += SETTLE_S / 3

    found = observe_settled(lambda: seen.pop(0), lambda: now[0], pause)
    assert found.other_processes == 1


def test_where_nothing_is_known_nothing_is_waited_for() -> None:
    found = observe_settled(lambda: Observation(), pause=lambda _seconds: pytest.fail("waited"))
    assert found.other_processes is None
