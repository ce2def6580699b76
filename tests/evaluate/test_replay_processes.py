"""A pair of replaying processes: started when needed, used again, replaced, ended."""

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.evaluate.replay_processes import MOST_USES, PAIRS, ReplayProcesses
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.pending_child import PendingChild
from kernelbenchx.worker import wire

CANCELLED = Ending(signal=signal.SIGKILL, over="cancelled")
CRASHED = Ending(signal=signal.SIGSEGV)


class Processes:
    """Threads that answer, in place of processes; some are sick from the beginning."""

    def __init__(self, sick: tuple[int, ...] = ()) -> None:
        self.started, self.left = 0, 0
        self.fails_at = -1
        self.pendings: list[PendingChild] = []
        self._sick = sick

    @contextmanager
    def start(self, children: list[PendingChild]) -> Iterator[RunnerClient]:
        if self.started == self.fails_at:
            self.fails_at = -1
            raise EvaluatorFault("no place for it")
        ours, theirs = socket.socketpair()
        pending = PendingChild()
        children.append(pending)
        self.pendings.append(pending)
        if self.started in self._sick:
            pending.end(CRASHED)
            theirs.close()
        else:
            threading.Thread(target=_serve, args=(theirs,), daemon=True).start()
        self.started += 1
        runner = RunnerClient("replay", ours, "cpu", trusted=True)
        try:
            yield runner
        finally:
            runner.close()
            self.left += 1
            if not pending._future.done():
                pending.end(CANCELLED)


def _serve(channel: socket.socket) -> None:
    with channel:
        while wire.receive(channel) is not None:
            wire.send(channel, wire.WireMessage({"ok": True}))


def test_nothing_is_started_before_it_is_needed_and_nothing_twice() -> None:
    processes = Processes()
    pair = ReplayProcesses(processes.start)
    assert processes.started == 0
    pair.begin()
    pair.begin()
    first = pair.descriptors()
    assert len(set(first)) == PAIRS
    assert pair.descriptors() == first
    assert processes.started == PAIRS
    pair.retire()


def test_it_is_used_again_and_again_but_not_for_ever() -> None:
    processes = Processes()
    pair = ReplayProcesses(processes.start)
    for number in range(1, MOST_USES):
        pair.descriptors()
        assert pair.note_use(good=True) == []
        assert pair.used == number
    ended = pair.note_use(good=True)
    assert ended == processes.pendings
    assert [one.wait(60.0) for one in ended] == [CANCELLED] * PAIRS
    assert (pair.used, processes.left) == (0, PAIRS)
    pair.descriptors()
    assert (processes.started, pair.used) == (2 * PAIRS, 0)
    pair.retire()


@pytest.mark.parametrize("before", [0, 3])
def test_after_a_failure_it_is_used_no_more_and_tells_how_it_ended(before: int) -> None:
    processes = Processes()
    pair = ReplayProcesses(processes.start)
    pair.descriptors()
    for _ in range(before):
        pair.note_use(good=True)
    processes.pendings[0].end(CRASHED)
    ended = pair.note_use(good=False)
    assert [one.wait(60.0) for one in ended] == [CRASHED, CANCELLED]
    assert (pair.used, pair.children) == (0, [])
    pair.descriptors()
    assert processes.started == 2 * PAIRS
    pair.retire()


@pytest.mark.parametrize("sick", [(0,), (1,), (0, 1)])
def test_those_that_do_not_answer_are_replaced_both(sick: tuple[int, ...]) -> None:
    processes = Processes(sick)
    pair = ReplayProcesses(processes.start, used=5)
    assert len(pair.descriptors()) == PAIRS
    assert (processes.started, processes.left, pair.used) == (2 * PAIRS, PAIRS, 0)
    assert pair.children == processes.pendings[PAIRS:]
    pair.retire()


def test_if_their_successors_do_not_answer_either_it_is_our_fault() -> None:
    processes = Processes((0, 2))
    pair = ReplayProcesses(processes.start)
    with pytest.raises(EvaluatorFault, match="replaying process failed"):
        pair.descriptors()
    assert processes.started == processes.left == 2 * PAIRS
    assert len(pair.descriptors()) == PAIRS  # the next one has another try
    pair.retire()


def test_one_that_could_not_be_started_is_started_later() -> None:
    processes = Processes()
    processes.fails_at = 1
    pair = ReplayProcesses(processes.start)
    with pytest.raises(EvaluatorFault, match="no place"):
        pair.begin()
    assert len(pair.descriptors()) == PAIRS
    assert processes.started == PAIRS
    pair.retire()


def test_ending_what_was_never_started_is_no_error() -> None:
    pair = ReplayProcesses(Processes().start)
    assert pair.retire() == []
    assert pair.retire() == []


def test_several_threads_start_one_pair() -> None:
    processes = Processes()
    pair = ReplayProcesses(processes.start)
    threads = [threading.Thread(target=pair.begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert processes.started == PAIRS
    pair.retire()
