"""One answer for every message: operations in any order, errors that do not end the loop."""

import gc
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import pytest
import torch

from kernelbenchx.worker import wire
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing import loop
from kernelbenchx.worker.timing.layout import Layout
from kernelbenchx.worker.timing.loop import CallServer
from kernelbenchx.worker.timing.shared_memory import SharedMemory
from kernelbenchx.worker.timing.start_signal import AWAKE, CALLED, DONE, GO, PUT, READY, StartSignal
from kernelbenchx.worker.timing.submission_program import SubmissionProgram

TENSOR = {"t": "tensor", "storage": 0, "dtype": "float32", "shape": [2]}
LAYOUT = Layout({"args": [TENSOR], "kwargs": {}, "init": [], "state": {}}, (8,), 512, 2)


class Telling(SubmissionProgram):
    """Tells what was asked of it."""

    def __init__(self, function: Any = lambda x: x + 1.0) -> None:
        super().__init__(function, "function")
        self.told: list[Any] = []

    def prepare(self, arguments: Arguments) -> None:
        self.told.append(("prepare", arguments.args[0].tolist()))
        super().prepare(arguments)

    def obstacle(self, arguments: Arguments) -> str:
        self.told.append(("obstacle", arguments.args[0].tolist()))
        return "a reason"

    def tune(self, arguments: Arguments) -> None:
        self.told.append(("tune", arguments.args[0].tolist()))

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:
        self.told.append(("record", arguments.args[0].tolist(), torch.rand(1).item()))
        return {"launches": 1}, b"binary"

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:
        self.told.append(("load", plan, binaries))

    def release(self) -> None:
        self.told.append("release")


class Asking:
    """The judge's end, and the memory it shares."""

    def __init__(self, channel: socket.socket, exchange: SharedMemory) -> None:
        self.channel = channel
        self.exchange = exchange

    def __call__(self, op: str, body: bytes = b"", *descriptors: int, **more: Any) -> Any:
        wire.send(self.channel, wire.WireMessage({"op": op, **more}, body, descriptors))
        answer = wire.receive(self.channel, 1 << 20)
        assert answer is not None
        self.body = answer.body
        return answer.header

    def open(self, layout: Layout = LAYOUT) -> Any:
        """A case in memory that comes along."""
        exchange = self.exchange
        return self("case", layout.to_json().encode(), exchange.descriptor, size=exchange.size)

    def reopen(self, layout: Layout = LAYOUT) -> Any:
        """A case in the memory that is already there."""
        return self("case", layout.to_json().encode())

    def error(self, op: str, body: bytes = b"", *descriptors: int, **more: Any) -> str:
        return str(self(op, body, *descriptors, **more)["error"]["type"])

    def seen(self, slot: int) -> list[float]:
        room = LAYOUT.room(self.exchange.part, slot)
        return list(room[:8].view(torch.float32).tolist())


@contextmanager
def _asking(program: Any) -> Iterator[Asking]:
    ours, theirs = socket.socketpair()
    ours.settimeout(60.0)

    def serve() -> None:
        with theirs:
            CallServer(theirs, program, "cpu").serve()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with closing(SharedMemory.create(LAYOUT.size, "cpu")) as exchange:
        with ours:
            yield Asking(ours, exchange)
        thread.join(60.0)
    assert not thread.is_alive(), "it did not end when the other side hung up"


def test_a_case_from_end_to_end() -> None:
    program = Telling()
    with _asking(program) as ask:
        assert ask("hello") == {"ok": True}
        assert ask("prepare", LAYOUT.to_json().encode()) == {"not_replayable": "a reason"}
        assert program.told == [("prepare", [0.0, 0.0]), ("obstacle", [0.0, 0.0])]
        assert ask.open() == {"ok": True}
        LAYOUT.storage(ask.exchange.part, 1, 0).view(torch.float32).fill_(4.0)
        assert ask("tune") == {"ok": True}
        assert ask("record", slot=1, seed=3) == {"launches": 1}
        assert ask.body == b"binary"
        expected = torch.rand(1, generator=torch.Generator().manual_seed(3)).item()
        assert program.told[2:] == [("tune", [0.0, 0.0]), ("record", [4.0, 4.0], expected)]
        assert ask("capture") == {"graph": True}
        assert ask("run", how="queued")["us"] >= 0.0
        assert ask("collect", slot=1)["result"]["shape"] == [2]
        assert ask.seen(1) == [5.0, 5.0]
        assert ask("release") == {"ok": True}
        assert program.told[-1] == "release"


def test_calls_by_the_bell_need_one_and_the_last_one_counts() -> None:
    with _asking(Telling()) as ask:
        ask.open()
        assert "no bell" in ask("run", how="batch", number=1)["error"]["message"]
        with closing(StartSignal.create()) as first, closing(StartSignal.create()) as second:
            for bell in (first, second):
                assert ask("bell", b"", bell.descriptor) == {"ok": True}
            second.ring(GO, 7)
            second.ring(PUT, 7)
            assert ask("run", how="batch", number=7)["us"] >= 0.0
            assert all(second.wait(which, 7, 0.0) for which in (READY, AWAKE, CALLED, DONE))
            assert first.wait(DONE, 0, 0.0)


def test_a_plan_is_taken_over_without_a_case() -> None:
    program = Telling()
    with _asking(program) as ask:
        assert ask("load", b"xyz", plan={"n": 1}) == {"ok": True}
        assert program.told == [("load", {"n": 1}, b"xyz")]


@pytest.mark.parametrize("op", ["tune", "record", "capture", "run", "collect"])
def test_without_a_case_there_is_nothing_to_run(op: str) -> None:
    with _asking(Telling()) as ask:
        assert ask(op, slot=0, how="batch")["error"]["message"] == "no case is open"
        assert ask.open() == {"ok": True}
        ask("run", how="batch")
        assert "error" not in ask(op, slot=0, how="batch")


def test_what_nobody_knows_is_an_error_and_the_loop_goes_on() -> None:
    with _asking(Telling()) as ask:
        assert ask.error("fly") == "KeyError"
        assert ask.error("case") == "JSONDecodeError"
        assert ask.error("case", LAYOUT.to_json().encode()) == "RuntimeError"
        assert ask("hello") == {"ok": True}


@pytest.mark.parametrize("kind", [ValueError, SystemExit, KeyboardInterrupt])
def test_what_a_call_raises_is_said_and_the_next_call_may_be_right(
    kind: type[BaseException],
) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        if x[0] < 0:
            raise kind("negative")
        return x

    with _asking(Telling(function)) as ask:
        ask.open()
        values = LAYOUT.storage(ask.exchange.part, 0, 0).view(torch.float32)
        values.fill_(-1.0)
        said = ask("run", how="call", count=1)["error"]
        assert (said["type"], said["message"]) == (kind.__name__, "negative")
        values.fill_(7.0)
        assert "us" in ask("run", how="call", count=1)
        assert ask.seen(0) == [7.0, 7.0]


def test_a_case_can_be_given_back_and_opened_again() -> None:
    program = Telling()
    with _asking(program) as ask:
        assert ask("release") == {"ok": True}
        assert program.told == []
        for _ in range(2):
            ask.open()
            ask("run", how="batch")
            assert ask.seen(0) == [1.0, 1.0]
        assert program.told == ["release"]
        ask("release")
        ask("release")
        assert program.told == ["release"] * 2
        assert ask.error("collect", slot=0) == "RuntimeError"


def test_a_case_that_cannot_be_opened_leaves_none_open() -> None:
    with _asking(Telling()) as ask:
        ask.open()
        empty = os.memfd_create("empty")
        try:
            layout, size = LAYOUT.to_json().encode(), LAYOUT.size
            assert ask.error("case", layout, empty, size=size) == "ValueError"
        finally:
            os.close(empty)
        assert ask.error("run", how="batch") == "RuntimeError"
        assert ask.reopen()["error"]["message"] == "no memory is shared"
        ask.open()
        assert "us" in ask("run", how="batch")


def test_the_next_case_may_lie_in_the_same_memory() -> None:
    program = Telling()
    other = replace(LAYOUT, slots=1)
    with _asking(program) as ask:
        assert ask.reopen()["error"]["message"] == "no memory is shared"
        ask.open()
        ask("run", how="batch")
        assert ask.reopen(other) == {"ok": True}
        assert program.told == ["release"]
        assert ask.error("collect", slot=0) == "KeyError"  # the results are the last case's
        other.storage(ask.exchange.part, 0, 0).view(torch.float32).fill_(6.0)
        ask("run", how="batch")
        assert ask.seen(0) == [7.0, 7.0]
        assert ask.error("run", how="call", count=1, seeds=[1, 2]) == "ValueError"


def test_a_case_that_is_larger_than_the_memory_is_an_error() -> None:
    with _asking(Telling()) as ask:
        ask.open()
        assert ask.error("case", replace(LAYOUT, slots=1000).to_json().encode()) == "ValueError"
        assert ask.error("run", how="batch") == "RuntimeError"
        assert ask.reopen() == {"ok": True}


def test_released_memory_is_gone() -> None:
    with _asking(Telling()) as ask:
        ask.open()
        ask("release")
        assert ask.reopen()["error"]["message"] == "no memory is shared"
        assert ask.open() == {"ok": True}


def test_new_memory_takes_the_place_of_the_old() -> None:
    with _asking(Telling()) as ask, closing(SharedMemory.create(LAYOUT.size, "cpu")) as second:
        ask.open()
        first, ask.exchange = ask.exchange, second
        ask.open()
        LAYOUT.storage(first.part, 0, 0).view(torch.float32).fill_(40.0)
        ask("run", how="batch")
        assert ask.seen(0) == [1.0, 1.0]
        assert set(LAYOUT.room(first.part, 0).tolist()) == {0}


def test_preparing_shows_zeros_whatever_is_in_the_memory() -> None:
    program = Telling()
    with _asking(program) as ask:
        ask.open()
        LAYOUT.storage(ask.exchange.part, 0, 0).fill_(3)
        ask("prepare", LAYOUT.to_json().encode())
        assert program.told[-1] == ("obstacle", [0.0, 0.0])


@pytest.mark.parametrize("scarce", [True, False])
def test_where_memory_is_scarce_nobody_keeps_what_preparing_took(
    monkeypatch: pytest.MonkeyPatch, scarce: bool
) -> None:
    given_back: list[int] = []
    monkeypatch.setattr(loop, "_is_scarce", lambda _device: scarce)
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: given_back.append(1))
    program = Telling()
    with _asking(program) as ask:
        ask("prepare", LAYOUT.to_json().encode())
        assert len(given_back) == scarce
        ask.open()
        ask("release")
        assert len(given_back) == 2 * scarce


def test_garbage_is_collected_between_cases_and_never_beside_a_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collected: list[bool] = []
    during: list[bool] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(True))

    def function(x: torch.Tensor) -> torch.Tensor:
        during.append(gc.isenabled())
        return x

    with _asking(Telling(function)) as ask:
        ask.open()
        ask("run", how="call", count=1)
        assert (set(during), collected) == ({False}, [])
        ask.reopen()
        assert collected == [True]
        ask("release")
        assert collected == [True, True]
