"""A process with a submission in it is awake in its own turn only."""

import mmap
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from typing import Any

import pytest
import torch

from kernelbenchx.core.performance import Gpu, TimedCase
from kernelbenchx.measure import bench_server
from kernelbenchx.measure.bench_connection import BenchConnection
from kernelbenchx.measure.case_timing import CaseTiming
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed, awake, wake_up
from kernelbenchx.measure.timed_runners import TimedRunners
from kernelbenchx.spec.task import Task
from kernelbenchx.worker import wire
from timing_host import Broken, Loadable, Pretended, inputs_of, relu, serving, small

TIME = Pretended()
EVENTS: list[tuple[str, str]] = []


class Recording(RunnerClient):
    """Writes down what happens to it."""

    def freeze(self) -> None:
        EVENTS.append(("freeze", self.name))

    def thaw(self) -> None:
        EVENTS.append(("thaw", self.name))

    def run(self, how: str, limit_s: float = 20.0, **more: Any) -> float:
        EVENTS.append(("run", self.name))
        return super().run(how, limit_s, **more)

    def _exchange(self, request: wire.WireMessage, limit_s: float) -> wire.WireMessage:
        EVENTS.append(("ask", self.name))
        return super()._exchange(request, limit_s)


def _timed(candidate: Any, task: Task, name: str = "activation/relu") -> Any:
    EVENTS.clear()

    def runners(role: str, program: Any, *, trusted: bool) -> list[RunnerClient]:
        clock = TIME.clock()
        return [
            stack.enter_context(
                serving(f"{role} {n}", program, trusted=trusted, clock=clock, kind=Recording)
            )
            for n in (0, 1)
        ]

    with ExitStack() as stack:
        entries = runners("entry", candidate, trusted=False)
        reference = Loadable(TIME.slowed(task.reference), "function")
        references = runners("eager", reference, trusted=True)
        return CaseTiming(
            inputs=inputs_of(task, name),
            runners=TimedRunners(entries, [], {"eager": references}),
            card=Gpu(name="host", l2_bytes=1 << 20),
            clock=TIME.clock(),
            now_ns=TIME.now_ns,
            chance=random.Random(3),
            rung="interpreter",
        ).run()


def _check_who_is_awake() -> None:
    """Nobody is asked who is stopped, and no entry is awake while another side is asked."""
    up: set[str] = set()
    for what, name in EVENTS:
        if what == "thaw":
            assert not up
            up.add(name)
        elif what == "freeze":
            up.remove(name)
        else:
            assert up == ({name} if name.startswith("entry") else set()), (what, name)
    assert not up


def test_an_entry_is_never_awake_while_another_side_runs() -> None:
    found = _timed(Loadable(TIME.slowed(torch.relu), "function"), relu())
    assert isinstance(found, TimedCase)
    _check_who_is_awake()
    assert {name for what, name in EVENTS if what == "thaw"} == {"entry 0", "entry 1"}
    assert ("run", "eager 0") in EVENTS


def test_no_clock_pays_for_the_waking() -> None:
    _timed(Loadable(TIME.slowed(torch.relu), "function"), relu())
    # Who is woken before the clock of a run starts is asked without being woken again.
    followers = {follower for one, follower in pairwise(EVENTS) if one[0] == "run"}
    assert {what for what, _ in followers} == {"ask"}
    assert {"entry 0", "entry 1", "eager 0"} <= {name for _, name in followers}


def test_an_entry_that_fails_is_stopped_all_the_same() -> None:
    _timed(Broken(torch.relu, 20), relu())
    _check_who_is_awake()


def test_also_where_several_outputs_are_judged_together() -> None:
    task = small("random/rand", shape=(64, 33), dtype=torch.float32)
    assert task.contract.calls > 1
    found = _timed(Loadable(TIME.slowed(task.reference), "function"), task, "random/rand")
    assert isinstance(found, TimedCase)
    _check_who_is_awake()
    assert ("run", "entry 1") in EVENTS


ANSWERS = """
import mmap, socket, sys, threading, time
from kernelbenchx.worker import wire
memory, channel = mmap.mmap(int(sys.argv[1]), 0), socket.socket(fileno=int(sys.argv[2]))
def count():
    while True:
        memory[0] = (memory[0] + 1) % 256
        time.sleep(0.0005)
threading.Thread(target=count, daemon=True).start()
while (message := wire.receive(channel)) is not None:
    wire.send(channel, wire.WireMessage({"us": 1.0}))
"""


@contextmanager
def answering(*, trusted: bool) -> Iterator[tuple[RunnerClient, mmap.mmap]]:
    """A process that counts beside the answers it gives."""
    ours, theirs = socket.socketpair()
    memory = os.memfd_create("counts")
    os.ftruncate(memory, 4096)
    command = [sys.executable, "-c", ANSWERS, str(memory), str(theirs.fileno())]
    with theirs, mmap.mmap(memory, 4096) as mapped:
        process = subprocess.Popen(command, pass_fds=[memory, theirs.fileno()])
        os.close(memory)
        theirs.close()
        runner = RunnerClient(
            "one", ours, "cpu", trusted=trusted, process=os.pidfd_open(process.pid)
        )
        try:
            yield runner, mapped
        finally:
            runner.close()
            process.kill()
            process.wait(60.0)


def _counts(mapped: mmap.mmap) -> bool:
    time.sleep(0.02)
    before = mapped[0]
    time.sleep(0.05)
    return mapped[0] != before


needs_pidfds = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs pidfds")


@needs_pidfds
def test_a_process_runs_for_its_answers_only() -> None:
    with answering(trusted=False) as (runner, mapped):
        for _ in range(3):
            assert runner.run("call") == 1.0
            assert not _counts(mapped)
        with wake_up(runner):
            assert runner.run("call") == 1.0
            with awake(runner):
                assert _counts(mapped)
            assert _counts(mapped)
        assert not _counts(mapped)
        with pytest.raises(ZeroDivisionError), wake_up(runner):
            raise ZeroDivisionError
        assert not _counts(mapped)


@needs_pidfds
def test_one_that_is_trusted_is_left_alone() -> None:
    with answering(trusted=True) as (runner, mapped):
        with wake_up(runner):
            assert runner.run("call") == 1.0
        assert _counts(mapped)


@needs_pidfds
def test_one_that_is_gone_has_failed_and_nothing_hangs() -> None:
    with answering(trusted=False) as (runner, _):
        runner.hello()
        os.kill(_pid(runner.process), 9)
        with pytest.raises(RunnerFailed, match="Gone"), wake_up(runner):
            pass
        runner.freeze()
        runner.thaw()


def _pid(process: int) -> int:
    with open(f"/proc/self/fdinfo/{process}") as lines:  # noqa: PTH123
        return next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))


def test_descriptors_reach_the_bench_beside_their_channels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[tuple[dict[str, Any], tuple[int, ...]]] = []

    def ask(_self: Any, header: dict[str, Any], _limit_s: float, descriptors: Any) -> Any:
        sent.append((header, descriptors))
        raise InterruptedError

    monkeypatch.setattr(BenchConnection, "_ask", ask)
    connection = BenchConnection("cpu", 1, ("eager",))
    with pytest.raises(InterruptedError):
        connection.time("relu", ((10, -1), (11, 21)), (12,))
    ((header, descriptors),) = sent
    assert descriptors == (10, 11, 12, 21)
    assert (header["entries"], header["replays"], header["stopped"]) == (2, 1, [1])


def _three_and_one() -> tuple[int, ...]:
    pairs = [socket.socketpair() for _ in range(3)]
    for _, theirs in pairs:
        theirs.close()
    return (*(ours.detach() for ours, _ in pairs), os.open(os.devnull, os.O_RDONLY))


def test_the_bench_puts_them_together_again() -> None:
    descriptors = _three_and_one()
    header = {"entries": 2, "replays": 1, "stopped": [1]}
    runners = bench_server._open_runners("cpu", header, descriptors)
    assert [one.channel.fileno() for one in runners] == list(descriptors[:3])
    assert [one.process for one in runners] == [-1, descriptors[3], -1]
    assert [one.trusted for one in runners] == [False, False, True]
    for runner in runners:
        runner.close()
    _all_closed(descriptors)


@pytest.mark.parametrize("stopped", [[], [0, 1], [2]])
def test_a_wrong_number_of_them_is_refused_and_none_is_kept(stopped: list[int]) -> None:
    descriptors = _three_and_one()
    with pytest.raises(ValueError, match="4 descriptors"):
        bench_server._open_runners(
            "cpu", {"entries": 2, "replays": 1, "stopped": stopped}, descriptors
        )
    _all_closed(descriptors)


def _all_closed(descriptors: tuple[int, ...]) -> None:
    for descriptor in descriptors:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)
