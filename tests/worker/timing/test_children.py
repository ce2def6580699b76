"""A submission or a plan at the end of a channel, as the children run it."""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from kernelbenchx.checks.binding import bind
from kernelbenchx.checks.signatures import parse_signature
from kernelbenchx.core.argument_binding import EntryBinding
from kernelbenchx.core.record import to_plain
from kernelbenchx.measure.runner_client import GONE, RunnerClient, RunnerFailed
from kernelbenchx.worker.frames import unpack
from kernelbenchx.worker.replies import Replies
from kernelbenchx.worker.sessions import FEW_QUEUES
from kernelbenchx.worker.timing import children
from kernelbenchx.worker.timing.layout import Layout

TENSOR = {"t": "tensor", "storage": 0, "dtype": "float32", "shape": [2]}
LAYOUT = Layout({"args": [TENSOR], "kwargs": {}, "init": [], "state": {}}, (8,), 512, 1)
SOURCE = "def double(x):\n    return x + x\n"


class Child:
    """A program in a thread; what it would have written to its result file."""

    def __init__(self, mode: str, header: dict[str, Any], result: Path) -> None:
        ours, theirs = socket.socketpair()
        self._channel, self._result = theirs.detach(), result
        self._serve = children.PROGRAMS[mode]
        self._header = {"device": "cpu", **header}
        self.runner = RunnerClient(mode, ours, "cpu", trusted=False)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self, monkeypatch: pytest.MonkeyPatch) -> RunnerClient:
        monkeypatch.setattr(children, "CHANNEL", self._channel)
        self._thread.start()
        return self.runner

    def _run(self) -> None:
        descriptor = os.open(self._result, os.O_WRONLY | os.O_CREAT)
        try:
            self._serve(self._header, Replies(descriptor))
        finally:
            os.close(descriptor)

    def frames(self) -> list[dict[str, Any]]:
        self.runner.close()
        self._thread.join(60.0)
        assert not self._thread.is_alive()
        return [frame.header for frame in unpack(self._result.read_bytes())]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("submission", None)


def _entry(tmp_path: Path, source: str, **more: Any) -> Child:
    header = {"language": "triton", "source": source, "entries": ["double"], "form": "function"}
    return Child("timing", {"few_queues": False, **header, **more}, tmp_path / "result")


def test_a_submission_is_loaded_and_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child = _entry(tmp_path, SOURCE)
    runner = child.start(monkeypatch)
    runner.hello()
    runner.open(LAYOUT)
    runner.fill(0, [torch.tensor([1.0, 2.0]).view(torch.uint8)])
    runner.run("batch")
    assert runner.rooms[0][:8].view(torch.float32).tolist() == [2.0, 4.0]
    assert child.frames() == []


@pytest.mark.parametrize("bound", [True, False])
def test_a_submission_is_timed_in_the_form_of_its_own_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: bool
) -> None:
    own = parse_signature("double(*, tensor)")[1]
    form = bind(parse_signature("double(x)")[1], own, ({"tensor": "x"},))
    binding = {"binding": to_plain(EntryBinding(call=form))} if bound else {}
    source = "def double(*, tensor):\n    return tensor + tensor\n"
    runner = _entry(tmp_path, source, **binding).start(monkeypatch)
    runner.open(LAYOUT)
    runner.fill(0, [torch.tensor([1.0, 2.0]).view(torch.uint8)])
    if not bound:
        with pytest.raises(RunnerFailed, match="positional"):
            runner.run("batch")
        return
    runner.run("batch")
    assert runner.rooms[0][:8].view(torch.float32).tolist() == [2.0, 4.0]


@pytest.mark.parametrize("few", [True, False])
def test_who_needs_one_queue_asks_for_no_more_before_it_uses_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: bool
) -> None:
    (queues,) = FEW_QUEUES
    monkeypatch.delenv(queues, raising=False)
    asked = f"import os\nQUEUES = float(os.environ.get({queues!r}, 8))\n"
    child = _entry(tmp_path, f"{asked}def double(x):\n    return x + QUEUES\n", few_queues=few)
    runner = child.start(monkeypatch)
    runner.open(LAYOUT)
    runner.fill(0, [torch.tensor([1.0, 2.0]).view(torch.uint8)])
    runner.run("batch")
    child.frames()
    monkeypatch.delenv(queues, raising=False)
    more = float(FEW_QUEUES[queues]) if few else 8.0
    assert runner.rooms[0][:8].view(torch.float32).tolist() == [1.0 + more, 2.0 + more]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("import no_such_module\n", "ModuleNotFoundError"),
        ("def triple(x): return x\n", "MissingEntry"),
        ("raise SystemExit(0)\n", "SystemExit"),
        ("def double(:\n", "SyntaxError"),
    ],
)
def test_what_cannot_be_loaded_is_said_in_the_result_and_hangs_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, kind: str
) -> None:
    child = _entry(tmp_path, source)
    runner = child.start(monkeypatch)
    with pytest.raises(RunnerFailed) as failed:
        runner.hello()
    assert failed.value.kind == GONE
    (frame,) = child.frames()
    assert (frame["kind"], frame["stage"], frame["error"]["type"]) == ("error", "load", kind)


def test_a_replay_has_no_submission_and_refuses_what_is_no_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = Child("replay", {}, tmp_path / "result")
    runner = child.start(monkeypatch)
    runner.hello()
    with pytest.raises(RunnerFailed) as failed:
        runner.ask({"op": "load", "plan": {}}, 10.0, b"no plan")
    assert failed.value.kind == "Malformed"
    runner.hello()
    assert child.frames() == []
    assert "submission" not in sys.modules
