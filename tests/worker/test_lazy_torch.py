"""A child that asks for more of torch is started anew, once, by a parent that has loaded it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.worker import lazy_torch, server, wire
from kernelbenchx.worker.limits import Limits
from kernelbenchx.worker.settings import WorkerSettings

PROGRAM = """
import kernelbenchx.worker.lazy_torch as late
late._KINDS = ("plain",)
from kernelbenchx.worker.server import main
main()
"""
SERVE = """
import os, sys, time
import torch
def serve(order, result):
    exec(os.read(order, 10_000), {"RESULT": result})
"""
SAYS = "import os, sys; os.write(RESULT, b'%d ' % ('torch._dynamo' in sys.modules))"
ASKS = f"{SAYS}; import torch.other; os.write(RESULT, b'done')"


@dataclass
class Talk:
    """A warm parent with a package of our own called torch."""

    connection: socket.socket
    folder: Path
    count: int = 0

    def begin(self, source: str, channel: tuple[int, ...] = ()) -> None:
        self.count += 1
        (self.folder / f"order{self.count}").write_text(source)
        order = os.open(self.folder / f"order{self.count}", os.O_RDONLY)
        result = os.open(self.folder / f"result{self.count}", os.O_WRONLY | os.O_CREAT)
        descriptors = (order, result, *channel)
        body = Limits(wall_s=120, cpu_s=20).to_json().encode()
        wire.send(self.connection, wire.WireMessage({"id": self.count}, body, descriptors))
        os.close(order)
        os.close(result)

    def end(self) -> tuple[int, str]:
        """The exit code of the next child that ends, and what it wrote."""
        while (message := wire.receive(self.connection, descriptors=1)) is not None:
            if "started" not in message.header:
                break
            for descriptor in message.descriptors:
                os.close(descriptor)
        assert message is not None and message.header["fault"] == ""
        result = self.folder / f"result{message.header['id']}"
        return message.header["exit_code"], result.read_text()

    def run(self, source: str, channel: tuple[int, ...] = ()) -> tuple[int, str]:
        self.begin(source, channel)
        return self.end()


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    (tmp_path / "torch").mkdir()
    for name in ("__init__", "_dynamo", "other"):
        (tmp_path / f"torch/{name}.py").write_text("")
    (tmp_path / "asking.py").write_text(SERVE)
    here, there = socket.socketpair()
    here.settimeout(60)
    with there:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(there.fileno())],
            pass_fds=[there.fileno()],
            env=os.environ | {"PYTHONPATH": str(Path(server.__file__).parents[2])},
        )
    settings = WorkerSettings("plain", "L1", "same", "asking:serve", (), (), (), str(tmp_path))
    settings = replace(settings, paths=(str(tmp_path),))
    with here:
        wire.send(here, wire.WireMessage({}, settings.to_json().encode()))
        ready = wire.receive(here)
        assert ready is not None and "ready" in ready.header
        yield Talk(here, tmp_path)
    assert process.wait(60.0) == 0


def test_who_asks_is_started_anew_and_only_that_run_counts(talk: Talk) -> None:
    assert talk.run(SAYS) == (0, "0 ")
    assert talk.run(ASKS) == (0, "1 done")
    assert talk.run(SAYS) == (0, "1 ")


def test_two_who_ask_beside_each_other_are_both_heard(talk: Talk) -> None:
    wait = f"import time; time.sleep(0.3); {ASKS}"
    talk.begin(wait)
    talk.begin(wait)
    assert [talk.end(), talk.end()] == [(0, "1 done")] * 2


def test_who_always_asks_is_heard_once(talk: Talk) -> None:
    lies = f"{SAYS}; os._exit({lazy_torch.NEEDS_LAZY_TORCH})"
    assert talk.run(lies) == (lazy_torch.NEEDS_LAZY_TORCH, "1 ")
    assert talk.run(lies) == (lazy_torch.NEEDS_LAZY_TORCH, "1 ")


def test_other_imports_and_other_processes_ask_for_nothing(talk: Talk) -> None:
    forks = (
        "pid = os.fork()\nif not pid:\n    import torch.other\n    os._exit(0)\nos.waitpid(pid, 0)"
    )
    assert talk.run(f"{SAYS}; import wave\n{forks}") == (0, "0 ")


def test_who_is_talked_with_finds_everything_loaded(talk: Talk) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert talk.run(SAYS, (theirs.fileno(),)) == (0, "1 ")


REAL = """
import os, sys
import torch
from worker.devices import redirect_cuda
def serve(order, result):
    os.write(result, b"%d " % ("torch._dynamo" in sys.modules))
    cuda = torch.cuda.Event
    with redirect_cuda():
        assert torch.cuda.Event is not cuda
        torch.broadcast_shapes((3, 1), (1, 4))
        from torch._dynamo.device_interface import CudaInterface
    os.write(result, b"%d" % (CudaInterface.Event is cuda))
"""


@pytest.mark.slow
def test_what_torch_loads_late_finds_torch_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text(REAL)
    start = Start(main="real:serve", modules=(tmp_path / "real.py",))
    with Scratch() as scratch, Zygote("interpret", detect(), jobs=1, start=start) as zygote:
        order, result = scratch.order("a", b""), scratch.result("a")
        ending = zygote.run(order, result, Limits(wall_s=120, cpu_s=60))
        assert ending.clean, ending
        assert result.read_bytes() == b"1 1"


@pytest.mark.parametrize("kind", ["interpret", "compile", "cuda", "ahead", "plain", "sealed"])
def test_only_kinds_that_replace_parts_of_torch_watch_for_it(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    before = len(sys.meta_path)
    lazy_torch.LazyTorch(kind).watch()
    assert len(sys.meta_path) - before == (kind in ("interpret", "compile"))
