"""A warm parent has its own read-only copy of the worker and cleans up after itself."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.runner.isolation import Level, WorkerIsolation
from kernelbenchx.runner.zygote_process import Start, ZygoteProcess

from .conftest import QUICK, STUB

L1 = WorkerIsolation(Level.L1)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_the_copy_is_the_worker_alone_and_read_only(temporary: Path) -> None:
    parent = ZygoteProcess("plain", L1, STUB)
    try:
        parent.wait_until_warm()
        (library,) = temporary.glob("kbx-*/lib")
        assert sorted(path.name for path in library.iterdir()) == ["stub.py", "worker"]
        modes = {path.stat().st_mode & 0o222 for path in library.rglob("*")}
        assert modes == {0}
        assert not list(library.rglob("__pycache__"))
    finally:
        parent.close()
    assert not list(temporary.iterdir())


def test_closing_ends_the_process_and_answers_who_waits(temporary: Path) -> None:
    parent = ZygoteProcess("plain", L1, STUB)
    parent.wait_until_warm()
    order = temporary / "order"
    order.write_text("import time; time.sleep(600)")
    with order.open("rb") as source, (temporary / "result").open("wb") as sink:
        pending = parent.request(source.fileno(), sink.fileno(), QUICK)
    parent.close()
    assert pending.wait(60.0).lost
    assert not parent.alive
    assert parent.request(0, 1, QUICK).wait(60).lost
    with pytest.raises(ProcessLookupError):
        os.kill(parent.pid, 0)


def test_a_parent_that_fails_leaves_nothing_behind(temporary: Path) -> None:
    parent = ZygoteProcess("plain", L1, Start(main="nowhere_at_all:serve"))
    for _ in range(2):
        with pytest.raises(EvaluatorFault, match=r"did not start: .*nowhere"):
            parent.wait_until_warm()
    parent.close()
    assert not parent.alive
    assert not list(temporary.iterdir())


def test_one_that_never_gets_warm_is_ended_at_once(temporary: Path, tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time; time.sleep(600)\n")
    parent = ZygoteProcess("plain", L1, Start(main="slow:serve", modules=(slow,)))
    parent.close()
    assert parent._process.returncode == -signal.SIGKILL
    with pytest.raises(EvaluatorFault, match="did not start"):
        parent.wait_until_warm()
    with pytest.raises(ProcessLookupError):
        os.kill(parent.pid, 0)
    assert not list(temporary.glob("kbx-*"))


def test_it_is_ended_at_once_also_where_the_listener_hears_of_it_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class SlowToReturn(socket.socket):
        __slots__ = ()

        def shutdown(self, how: int) -> None:
            super().shutdown(how)
            assert parent._greeted.wait(60.0)

    slow = tmp_path / "slow.py"
    slow.write_text("import time; time.sleep(600)\n")
    parent = ZygoteProcess("plain", L1, Start(main="slow:serve", modules=(slow,)))
    connection = parent._connection
    monkeypatch.setattr(connection, "__class__", SlowToReturn)
    monkeypatch.setattr("kernelbenchx.runner.zygote_process._PATIENCE_S", 20.0)
    process = parent._process
    waits: list[float | None] = []

    def wait(limit: float | None = None) -> int:
        waits.append(limit)
        return subprocess.Popen.wait(process, limit)

    monkeypatch.setattr(process, "wait", wait)
    parent.close()
    assert waits == [20.0]  # it was killed first, and not once patience was at its end


def test_one_that_takes_too_long_to_get_warm_has_failed(temporary: Path, tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time; time.sleep(1)\nserve = print\n")
    for limit_s, fails in ((0.2, True), (20.0, False)):
        parent = ZygoteProcess(
            "plain", L1, Start(main="slow:serve", modules=(slow,), limit_s=limit_s)
        )
        with pytest.raises(EvaluatorFault, match="time limit") if fails else nullcontext():
            parent.wait_until_warm()
        parent.close()
    assert not list(temporary.glob("kbx-*"))


def test_an_order_can_be_served_in_the_parent_to_warm_it(temporary: Path) -> None:
    warm_order = temporary / "warm"
    warm_order.write_text("import builtins; builtins.seen = 'warm'")
    order = temporary / "order"
    order.write_text("import os, builtins; os.write(RESULT, builtins.seen.encode())")
    start = Start(main=STUB.main, modules=STUB.modules, warm_order=warm_order)
    parent = ZygoteProcess("plain", L1, start)
    parent.wait_until_warm()
    with order.open("rb") as source, (temporary / "result").open("wb") as sink:
        ending = parent.request(source.fileno(), sink.fileno(), QUICK).wait(60.0)
    parent.close()
    assert ending.clean
    assert (temporary / "result").read_bytes() == b"warm"


def test_a_parent_ends_when_the_trusted_process_is_killed(tmp_path: Path) -> None:
    code = """
import os, sys
from pathlib import Path
from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.zygote_process import Start, ZygoteProcess
parent = ZygoteProcess("plain", detect(), Start(main="worker.probe:serve"))
parent.wait_until_warm()
print(parent.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    source = Path(__file__).parents[2] / "src"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(source), *sys.path])}
    environment["TMPDIR"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == -9, done.stderr
    pid = int(done.stdout)
    for _ in range(500):
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text():
            return
        time.sleep(0.01)
    raise AssertionError("the warm parent lives on")
