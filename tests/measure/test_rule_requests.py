"""A submission judged by KernelBench's rule: from the evaluator's request to the bench's answer."""

import os
import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.rules import KernelBenchRule
from kernelbenchx.measure import bench_server
from kernelbenchx.measure.bench_connection import BenchConnection
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.spec.imported_problem import BadProblem
from kernelbenchx.worker import wire
from ruled import FAILS, kernelbench

JUDGED = kernelbench(FAILS, "rows=2")
START = {"op": "start", "device": "cpu", "seed": 7, "baselines": ["eager"], "sizes": "ours"}


class Asked:
    """What a bench was asked, and what it raises."""

    def __init__(self) -> None:
        self.known: list[tuple[Any, ...]] = []
        self.runners: list[RunnerClient] = []
        self.stoppable: list[bool] = []
        self.error: Exception | None = None

    def __call__(self, _bench: Any, name: str, entry: RunnerClient, *known: Any) -> KernelBenchRule:
        self.known.append((name, entry.name, entry.trusted, *known))
        self.stoppable.append(entry.process >= 0)
        entry.process = -1 if entry.process < 0 else _closed(entry.process)
        self.runners.append(entry)
        if self.error is not None:
            raise self.error
        return JUDGED


def _closed(descriptor: int) -> int:
    """A test has no process that could be stopped."""
    os.close(descriptor)
    return -1


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    found = Asked()
    bench = SimpleNamespace(device="cpu", card=SimpleNamespace(name="host"), close=lambda: None)
    monkeypatch.setattr(bench_server, "Bench", SimpleNamespace(for_device=lambda *_given: bench))
    monkeypatch.setattr(bench_server, "judge_by_rule", found)
    return found


@pytest.fixture
def bench(asked: Asked) -> Iterator[BenchConnection]:
    """Its process is a thread."""
    del asked
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=bench_server.serve, args=(theirs,), daemon=True)
    thread.start()
    with theirs:
        wire.send(ours, wire.WireMessage(START))
        assert wire.receive(ours, 1 << 20) is not None
        found = BenchConnection("cpu", 7, ("eager",), _connection=ours)
        yield found
        found.close()
        thread.join(60.0)
    assert not thread.is_alive()


@pytest.mark.parametrize("stoppable", [True, False])
def test_one_process_is_passed_on_and_its_channel_is_closed(
    bench: BenchConnection, asked: Asked, stoppable: bool
) -> None:
    ours, theirs = socket.socketpair()
    process = os.open("/dev/null", os.O_RDONLY) if stoppable else -1
    found = bench.judge_by_rule("a/task", (theirs.fileno(), process), "d", 80.0)
    assert found == JUDGED and asked.stoppable == [stoppable]
    assert asked.known == [("a/task", "entry 0", False, "d", 80.0)]
    assert asked.runners[0].channel.fileno() == -1
    if stoppable:
        os.close(process)
    theirs.close()
    assert ours.recv(1) == b""  # no copy of the other end is left
    ours.close()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (torch.OutOfMemoryError("it needs 90 GB"), f"{bench_server.NO_MEMORY}: it needs 90 GB"),
        (BadProblem("its truth is not finite"), "its truth is not finite"),
    ],
)
def test_what_cannot_be_known_is_said_in_words(
    bench: BenchConnection,
    asked: Asked,
    capfd: pytest.CaptureFixture[str],
    error: Exception,
    said: str,
) -> None:
    asked.error = error
    ours, theirs = socket.socketpair()
    with ours, theirs, pytest.raises(EvaluatorFault, match=f"the bench: {said}"):
        bench.judge_by_rule("a/task", (theirs.fileno(), -1), "d", 80.0)
    assert capfd.readouterr().err == ""
    asked.error = None
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert bench.judge_by_rule("a/task", (theirs.fileno(), -1), "d", 80.0) == JUDGED
