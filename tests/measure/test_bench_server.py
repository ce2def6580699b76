"""Requests to a bench: one answer each, faults in words, runners made of descriptors and closed."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Performance, ReferenceCompilation, Unmeasured
from kernelbenchx.core.record import from_json
from kernelbenchx.measure import bench_server
from kernelbenchx.measure.case_timing import ReplayFailure
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.measure.timed_runners import SubmissionRunners
from kernelbenchx.spec.imported_problem import BadProblem
from kernelbenchx.worker import wire
from kernelbenchx.worker.timing.layout import Layout

LAYOUT = Layout({"args": [], "kwargs": {}, "init": [], "state": {}}, (8,), 512, 1)
DONE = Unmeasured(reason=Reason.DISTURBED, detail="only looked")


class FakeBench:
    """Notes what it is asked."""

    def __init__(self) -> None:
        self.device = "cpu"
        self.card = SimpleNamespace(name="host")
        self.asked: list[Any] = []
        self.runners: list[RunnerClient] = []
        self.closed = False
        self.peaks: object = None

    def measure_peaks(self) -> None:
        self.peaks = None

    def layouts(self, name: str) -> list[Layout]:
        if name == "broken":
            raise KeyError("no such case")
        if name == "published":
            raise BadProblem("the problem's own file: AttributeError")
        if name == "large":
            raise torch.OutOfMemoryError("tried to get 290 MiB")
        return [LAYOUT, LAYOUT]

    def expect(self, tasks: list[str]) -> None:
        self.asked.append(tasks)

    def list_compilations(self) -> list[ReferenceCompilation]:
        return [ReferenceCompilation(task="a/task", seconds=1.5, cases=2, fell_back=False)]

    def time(self, name: str, given: SubmissionRunners) -> Performance | ReplayFailure:
        self.asked.append(
            (name, len(given.entries), len(given.replays), given.obstacle, given.digest)
        )
        self.runners = [*given.entries, *given.replays]
        if name == "broken":
            raise RuntimeError("the card is gone")
        for runner in self.runners:
            runner.channel.send(b"!")
        return ReplayFailure("its launches differ") if name == "differs" else DONE

    def close(self) -> None:
        self.closed = True


class Asking:
    """The evaluator's end."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def __call__(self, header: dict[str, Any], *descriptors: int) -> wire.WireMessage:
        wire.send(self._connection, wire.WireMessage(header, b"", descriptors))
        answer = wire.receive(self._connection, 1 << 20)
        assert answer is not None
        return answer

    def fault(self, header: dict[str, Any], *descriptors: int) -> str:
        return str(self(header, *descriptors).header["fault"])


START = {"op": "start", "device": "cpu", "seed": 7, "baselines": ["eager"], "sizes": "ours"}


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> FakeBench:
    found = FakeBench()

    def on(device: str, seed: int, kinds: tuple[str, ...], *how: str) -> FakeBench:
        found.asked.append((device, seed, kinds, *how))
        return found

    monkeypatch.setattr(bench_server, "Bench", SimpleNamespace(for_device=on))
    return found


@pytest.fixture
def ask(bench: FakeBench) -> Iterator[Asking]:
    ours, theirs = socket.socketpair()
    ours.settimeout(60.0)
    thread = threading.Thread(target=bench_server.serve, args=(theirs,), daemon=True)
    thread.start()
    with ours, theirs:
        yield Asking(ours)
        ours.close()
        thread.join(60.0)
    assert not thread.is_alive()


def _time(**change: Any) -> dict[str, Any]:
    plain = {"op": "time", "task": "a", "entries": 0, "replays": 0, "stopped": []}
    return {**plain, "obstacle": "", "digest": "", **change}


def test_a_bench_is_started_asked_and_closed(bench: FakeBench, ask: Asking) -> None:
    assert ask(START).header == {"card": "host"}
    assert bench.asked == [("cpu", 7, ("eager",), "ours", "auto")]
    answer = ask({"op": "layouts", "task": "a"})
    lines = answer.body.decode().splitlines()
    assert [Layout.from_json(line) for line in lines] == [LAYOUT, LAYOUT]
    assert from_json(ask(_time()).body, Performance) == DONE  # type: ignore[arg-type]
    assert not bench.closed


def test_peaks_are_measured_when_it_is_asked_for(bench: FakeBench, ask: Asking) -> None:
    bench.peaks = DONE
    ask(START)
    assert ask({"op": "peaks"}).header == {"ok": True}
    assert bench.peaks is None


def test_it_is_told_what_comes_and_says_what_was_compiled(bench: FakeBench, ask: Asking) -> None:
    ask(START)
    assert ask({"op": "expect", "tasks": ["a/task"]}).header == {"ok": True}
    assert bench.asked[1:] == [["a/task"]]
    found = from_json(ask({"op": "compiled"}).body, list[ReferenceCompilation])
    assert found == bench.list_compilations()


def test_who_hangs_up_ends_it(bench: FakeBench) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        wire.send(ours, wire.WireMessage(START))
        ours.shutdown(socket.SHUT_WR)
        bench_server.serve(theirs)
    assert bench.closed


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"op": "layouts", "task": "a"}, "not started"),
        (_time(), "not started"),
        ({"op": "fly"}, "not started"),
        ({}, "KeyError"),
    ],
)
def test_before_the_start_there_is_nothing_to_ask(
    ask: Asking, header: dict[str, Any], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert said in ask.fault(header)
    assert "Traceback" in capfd.readouterr().err
    assert ask(START).header == {"card": "host"}


@pytest.mark.usefixtures("capfd")
def test_a_fault_is_said_and_the_next_request_is_answered(ask: Asking) -> None:
    ask(START)
    assert "no such case" in ask.fault({"op": "layouts", "task": "broken"})
    assert "fly" in ask.fault({"op": "fly"})
    assert "the card is gone" in ask.fault(_time(task="broken"))
    assert ask({"op": "layouts", "task": "a"}).header == {"layouts": 2}


def test_a_card_without_memory_is_said_without_our_stack(
    ask: Asking, capfd: pytest.CaptureFixture[str]
) -> None:
    ask(START)
    assert "no memory left on the GPU" in ask.fault({"op": "layouts", "task": "large"})
    assert capfd.readouterr().err == ""
    ask.fault({"op": "layouts", "task": "broken"})
    assert "Traceback" in capfd.readouterr().err


def test_what_a_published_problem_gets_wrong_is_said_without_our_stack(
    ask: Asking, capfd: pytest.CaptureFixture[str]
) -> None:
    ask({**START, "isolation": "L2"})
    fault = ask.fault({"op": "layouts", "task": "published"})
    assert fault == "the problem's own file: AttributeError"
    assert "Traceback" not in capfd.readouterr().err
    assert "KeyError" in ask.fault({"op": "layouts", "task": "broken"})
    assert "Traceback" in capfd.readouterr().err


def test_descriptors_become_runners_that_are_closed_afterwards(
    bench: FakeBench, ask: Asking
) -> None:
    ask(START)
    pairs = [socket.socketpair() for _ in range(3)]
    process = os.open("/dev/null", os.O_RDONLY)
    channels = [theirs.fileno() for _, theirs in pairs]
    ask(_time(entries=2, replays=1, stopped=[1]), *channels, process)
    os.close(process)
    assert [(one.name, one.trusted) for one in bench.runners] == [
        ("entry 0", False),
        ("entry 1", False),
        ("replay 2", True),
    ]
    assert bench.asked[-1] == ("a", 2, 1, "", "")
    for ours, theirs in pairs:
        theirs.close()
        assert ours.recv(2) == b"!"
        assert ours.recv(1) == b""  # nobody holds the other end any more
        ours.close()
    assert all(one.process == -1 and one.channel.fileno() == -1 for one in bench.runners)


def test_whose_inputs_and_why_nothing_is_replayed_is_passed_on(
    bench: FakeBench, ask: Asking
) -> None:
    ask(START)
    ask(_time(obstacle="reads a value", digest="d1"))
    assert bench.asked[-1] == ("a", 0, 0, "reads a value", "d1")


def test_what_cannot_be_replayed_after_all_is_no_time(bench: FakeBench, ask: Asking) -> None:
    ask(START)
    answer = ask({**_time(), "task": "differs"})
    assert (answer.header, answer.body) == (
        {"obstacle": "its launches differ", "refused": False},
        b"",
    )
    assert bench.asked[-1][0] == "differs"


@pytest.mark.usefixtures("capfd")
@pytest.mark.parametrize("task", ["a", "broken"])
def test_replays_live_on_and_are_told_to_give_memory_back(
    bench: FakeBench, ask: Asking, task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    released: list[tuple[str, bool]] = []
    monkeypatch.setattr(
        RunnerClient,
        "release",
        lambda self: released.append((self.name, self.channel.fileno() >= 0)),
    )
    ask(START)
    pairs = [socket.socketpair() for _ in range(3)]
    ask(_time(task=task, entries=1, replays=2), *(theirs.fileno() for _, theirs in pairs))
    assert released == [("replay 1", True), ("replay 2", True)]
    assert len(bench.runners) == 3
    for ends in pairs:
        for end in ends:
            end.close()


@pytest.mark.usefixtures("capfd")
@pytest.mark.parametrize(
    "change",
    [
        {"entries": 2},
        {"entries": 0},
        {"entries": 1, "stopped": [0]},
        {"entries": 0, "replays": 0, "stopped": [0]},
        {"task": "broken", "entries": 1},
    ],
)
def test_descriptors_of_a_request_that_failed_are_closed(
    ask: Asking, change: dict[str, Any]
) -> None:
    ask(START)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ask.fault(_time(**change), theirs.fileno())
        theirs.close()
        assert ours.recv(1) == b""


@pytest.mark.usefixtures("capfd")
def test_descriptors_that_came_too_early_are_closed(ask: Asking) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ask.fault(_time(entries=1), theirs.fileno())
        theirs.close()
        assert ours.recv(1) == b""


def test_as_a_process_it_ends_when_nobody_is_there() -> None:
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", "kernelbenchx.measure.bench_server", str(theirs.fileno())]
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
    theirs.close()
    ours.close()
    assert process.wait(60.0) == 0


def test_an_evaluator_that_is_gone_before_its_answer_costs_no_traceback() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        wire.send(ours, wire.WireMessage({"op": "stop"}))
        ours.close()
        bench_server.serve(theirs)


def test_an_interrupt_ends_it_without_a_word() -> None:
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", "kernelbenchx.measure.bench_server", str(theirs.fileno())]
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.PIPE)
    with ours, theirs:
        wire.send(ours, wire.WireMessage({"op": "stop"}))
        assert wire.receive(ours, bench_server.MOST_BYTES) is not None  # it serves
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60.0)
    assert process.returncode == -signal.SIGINT
    assert b"KeyboardInterrupt" not in said
