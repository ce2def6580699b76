"""What the parent keeps of a child's words, and how it cleans up."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from kernelbenchx.worker.job import CANCELLED, KEPT_LOG_BYTES, Job, Log, remove_folder
from kernelbenchx.worker.limits import Limits, compiler_limits, interpreter_limits
from kernelbenchx.worker.processes import cpu_seconds
from kernelbenchx.worker.progress import Progress


def logged(*parts: bytes) -> Log:
    read, write = os.pipe()
    os.set_blocking(read, False)
    log = Log(read)
    for part in parts:
        os.write(write, part)
        log.drain()
    os.close(write)
    assert not log.drain()
    os.close(read)
    return log


def test_a_short_log_is_kept_whole() -> None:
    assert logged(b"one ", b"two").text() == b"one two"
    assert logged().text() == b""


def test_of_a_long_log_both_ends_are_kept() -> None:
    half = b"x" * 30_000
    log = logged(b"first", half, half, half, b"last")
    assert log.total == 90_009
    text = log.text()
    assert text.startswith(b"first") and text.endswith(b"last")
    assert f"{90_009 - 2 * KEPT_LOG_BYTES} bytes left out".encode() in text


def job(tmp_path: Path, limits: Limits, setup: bytes = b"+") -> Job:
    read, write = os.pipe()
    os.write(write, setup)
    os.close(write)
    result = os.open(tmp_path / "result", os.O_WRONLY | os.O_CREAT)
    folder = tmp_path / "folder"
    folder.mkdir()
    log, others = Log(os.dup(read)), (read, os.dup(read), result, str(folder))
    return Job(1, os.getpid(), 0, limits, log, *others, Progress())


def excess(one: Job, *, inherited: int = 1 << 40, tree: int = 1) -> str:
    return one.find_excess([os.getpid()] * tree, inherited_bytes=inherited, walk=True)


def test_each_limit_is_noticed_and_none_without_reason(tmp_path: Path) -> None:
    limits = Limits(result_bytes=10, scratch_bytes=1 << 16, scratch_files=3, processes=4)
    one = job(tmp_path, limits)
    assert excess(one) == ""
    assert excess(one, tree=5) == "processes"
    assert excess(one, inherited=-(1 << 40)) == "memory"
    (tmp_path / "folder/big").write_bytes(bytes(1 << 18))
    assert excess(one) == "scratch"
    os.write(one.result, b"x" * 11)
    assert excess(one) == "result"
    one.log.total = limits.log_bytes + 1
    assert excess(one) == "log"
    one.started = time.monotonic() - limits.wall_s - 1
    assert excess(one) == "wall"
    one.close()


def spend(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_a_program_that_does_not_end_uses_up_the_time(tmp_path: Path) -> None:
    used = cpu_seconds(os.getpid())
    one = job(tmp_path, interpreter_limits(used + 0.2))
    one.progress.begin()
    assert excess(one) == ""
    spend(0.3)
    assert excess(one) == "cpu"
    one.progress.program_ended()
    assert excess(one) == ""
    one.close()


def test_a_compiler_has_cpu_time_and_no_programs(tmp_path: Path) -> None:
    used = cpu_seconds(os.getpid())
    one = job(tmp_path, compiler_limits(used + 0.2))
    assert excess(one) == ""
    spend(0.3)
    assert excess(one) == "cpu"
    assert compiler_limits(5.0).wall_s > 5.0 == compiler_limits(5.0).idle_s
    one.close()


def test_programs_that_end_have_a_limit_of_their_own(tmp_path: Path) -> None:
    used = cpu_seconds(os.getpid())
    one = job(tmp_path, replace(interpreter_limits(used + 60), program_s=0.25))
    one.progress.begin()
    for _ in range(3):
        spend(0.1)
        assert excess(one) == ""
        one.progress.program_ended()
    assert excess(one) == "programs"
    one.close()


def test_one_call_has_a_limit_of_its_own(tmp_path: Path) -> None:
    used = cpu_seconds(os.getpid())
    one = job(tmp_path, replace(interpreter_limits(used + 60), call_s=0.25))
    spend(0.3)
    assert excess(one) == "", "no call is made"
    for number in (1, 2):
        one.progress.begin_call(number)
        spend(0.15)
        assert excess(one) == "", "calls are not added up"
    one.progress.begin()
    spend(0.2)
    assert excess(one) == "call"
    one.progress.program_ended()
    assert excess(one) == "", "programs that end are counted apart"
    one.progress.begin_call(0)
    spend(0.3)
    assert excess(one) == "", "no call is made any more"
    one.close()


def test_sleep_in_one_call_is_noticed(tmp_path: Path) -> None:
    asleep = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    one = job(tmp_path, replace(interpreter_limits(60.0), call_s=0.3))

    def found(seconds: float) -> str:
        until, excess = time.monotonic() + seconds, ""
        while not excess and time.monotonic() < until:
            time.sleep(0.05)
            excess = one.find_excess([asleep.pid], inherited_bytes=1 << 40, walk=False)
        return excess

    try:
        assert found(0.8) == "", "no call is made"
        one.progress.begin_call(1)
        assert found(60.0) == "call_idle"
        one.progress.begin_call(2)
        assert found(0.1) == "", "sleep of an earlier call does not count"
    finally:
        asleep.kill()
        asleep.wait()
    one.close()


def test_what_has_used_so_much_runs_long(tmp_path: Path) -> None:
    used = cpu_seconds(os.getpid())
    one = job(tmp_path, replace(interpreter_limits(used + 60), long_s=used + 0.2))
    assert excess(one) == "" and not one.is_long
    spend(0.3)
    assert excess(one) == "" and one.is_long
    one.close()


def test_sleep_is_noticed(tmp_path: Path) -> None:
    asleep = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    one = job(tmp_path, replace(interpreter_limits(60.0), idle_s=0.3))
    try:
        deadline, found = time.monotonic() + 60, ""
        while not found and time.monotonic() < deadline:
            time.sleep(0.05)
            found = one.find_excess([asleep.pid], inherited_bytes=1 << 40, walk=False)
        assert found == "idle"
    finally:
        asleep.kill()
        asleep.wait()
    one.close()


def test_work_is_no_sleep(tmp_path: Path) -> None:
    one = job(tmp_path, replace(interpreter_limits(3600.0), idle_s=0.1))
    for _ in range(5):
        spend(0.05)
        assert excess(one) == ""
    one.close()


def test_too_many_and_too_deep_files_are_noticed(tmp_path: Path) -> None:
    one = job(tmp_path, Limits(scratch_files=3))
    deep = tmp_path / "folder" / "/".join("d" * 70)
    deep.mkdir(parents=True)
    assert excess(one) == "scratch"
    one.close()


@pytest.mark.parametrize(
    ("over", "status", "setup", "ended_for", "fault"),
    [
        (CANCELLED, signal.SIGKILL, b"+", CANCELLED, ""),
        (CANCELLED, signal.SIGKILL, b"", CANCELLED, ""),
        (CANCELLED, signal.SIGKILL, b"OSError: mount", CANCELLED, "OSError: mount"),
        (CANCELLED, 0, b"+", "", ""),
        (CANCELLED, signal.SIGSEGV, b"+", "", ""),
        (CANCELLED, 1 << 8, b"", "", "died in set-up"),
        ("wall", signal.SIGKILL, b"+", "wall", ""),
        ("", signal.SIGKILL, b"", "", "died in set-up"),
    ],
)
def test_cancelled_is_who_ended_by_it_and_set_up_is_no_excuse(
    tmp_path: Path, over: str, status: int, setup: bytes, ended_for: str, fault: str
) -> None:
    one = job(tmp_path, Limits(), setup)
    one.over = over
    little = SimpleNamespace(ru_utime=0.1, ru_stime=0.1, ru_maxrss=1)
    ending = one.ending(status, little)
    assert (ending["over"], ending["fault"]) == (ended_for, fault)
    one.close()


def test_a_folder_without_rights_is_removed(tmp_path: Path) -> None:
    inner = tmp_path / "folder/inner"
    inner.mkdir(parents=True)
    (inner / "file").touch()
    inner.chmod(0)
    remove_folder(str(tmp_path / "folder"))
    assert not (tmp_path / "folder").exists()
