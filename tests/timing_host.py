"""Runners in threads, on memory of the host: everything but a card."""

import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.measure import host_clock
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.input_layout import TimingDevice
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.spec import case
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing.clocks import Bound, HostClock
from kernelbenchx.worker.timing.loop import CallServer as Serving
from kernelbenchx.worker.timing.submission_program import SubmissionProgram

Function = Callable[..., Any]
PAUSE_S = 1e-4
WHERE = TimingDevice("cpu", 1 << 12, 1 << 22)


def small(name: str, **params: Any) -> Task:
    """A task of the catalogue with one small timing case."""
    return replace(catalog.load(name), timings=case(**params))


def relu() -> Task:
    return small("activation/relu", shape=(64, 33), dtype=torch.float32)


def inputs_of(task: Task, name: str = "activation/relu") -> CaseInputs:
    return CaseInputs.of(task, name, task.timings[0], 77, WHERE)


class Pretended:
    """A time that passes only when something says that it worked, with a little noise."""

    def __init__(self, noise: float = 0.003) -> None:
        self._seconds = 1.0
        self._noise = noise
        self._chance = random.Random(1)

    def now(self) -> float:
        return self._seconds

    def now_ns(self) -> int:
        return round(self._seconds * 1e9)

    def pass_by(self, seconds: float) -> None:
        self._seconds += seconds * (1.0 + self._noise * self._chance.gauss(0.0, 1.0))

    def clock(self) -> HostClock:
        return HostClock(self.now)

    def slowed(self, function: Function, seconds: float = PAUSE_S) -> Function:
        """The function as if it worked for so long."""

        def run(*args: Any, **kwargs: Any) -> Any:
            self.pass_by(seconds)
            return function(*args, **kwargs)

        return run


def without_slack(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a pretended time, which passes before the judge can look at it."""
    monkeypatch.setattr(host_clock, "TOLERANCE", 0.0)
    monkeypatch.setattr(host_clock, "SLACK_US", dict.fromkeys(host_clock.SLACK_US, 0.0))


class Loadable(SubmissionProgram):
    """An entry that, like a baseline or a replay, can be told what to load."""

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:
        del plan, binaries

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:
        del arguments
        return {"fell_back": False}, b""


class Broken(Loadable):
    """Raises in its n-th call."""

    def __init__(self, function: Function, number: int) -> None:
        super().__init__(function, "function")
        self._left = number

    def bind(self, arguments: Arguments) -> Bound:
        call = super().bind(arguments)

        def run() -> Any:
            self._left -= 1
            if self._left < 0:
                raise ValueError("no more")
            return call()

        return run


@contextmanager
def serving(
    name: str,
    program: Any,
    *,
    trusted: bool,
    clock: HostClock | None = None,
    kind: type[RunnerClient] = RunnerClient,
) -> Iterator[RunnerClient]:
    """A runner whose other end is a thread of this process."""
    ours, theirs = socket.socketpair()

    def serve() -> None:
        with theirs:
            Serving(theirs, program, "cpu", clock).serve()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    runner = kind(name, ours, "cpu", trusted=trusted)
    try:
        yield runner
    finally:
        runner.close()
        thread.join(timeout=60.0)
