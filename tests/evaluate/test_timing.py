"""The performance stage with pretended children and a pretended bench: whose failure it is."""

import os
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.gate import Gate
from kernelbenchx.evaluate.timing import Timing
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.pending import Pending
from kernelbenchx.worker import wire
from kernelbenchx.worker.limits import Limits
from kernelbenchx.worker.order import Order
from kernelbenchx.worker.timing.layout import Layout

CALL: dict[str, Any] = {"args": [], "kwargs": {}, "init": [], "state": {}}
LAYOUTS = [Layout(CALL, (size,), 512, 1) for size in (8, 16, 24)]
TIMED = Unmeasured(reason=Reason.DISTURBED, detail="as the bench said")
CANCELLED = Ending(signal=signal.SIGKILL, over="cancelled")
Answers = Callable[[str, int], dict[str, Any] | bytes | Ending]
"""For an operation and how often it was asked for: an answer, raw bytes, or an ending."""


def agrees(_op: str, _times: int) -> dict[str, Any]:
    return {"ok": True}


def _value_dependent(_op: str, times: int) -> dict[str, Any]:
    return {"not_replayable": "by values" if times == 2 else ""}


class Child:
    """One end of a channel in a thread."""

    def __init__(self, order: Path, channel: int, answers: Answers, *, lost: bool = False) -> None:
        self.header = Order.parse(order.read_bytes()).header
        self.asked: list[str] = []
        self.killed = 0
        self._answers = answers
        self._channel = socket.socket(fileno=os.dup(channel))
        self.pending = Pending(self._kill)
        self._lock = threading.Lock()
        self.pending.start(None)
        if lost:
            self._end(Ending(lost=True, fault="no memory to fork"))
        else:
            threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        try:
            while (message := wire.receive(self._channel, 1 << 20)) is not None:
                op = str(message.header["op"])
                self.asked.append(op)
                answer = self._answers(op, self.asked.count(op))
                if isinstance(answer, Ending):
                    self._end(answer)
                    return
                if isinstance(answer, bytes):
                    self._channel.sendall(answer)
                else:
                    wire.send(self._channel, wire.Message(answer))
        except OSError:
            return

    def _kill(self) -> None:
        self.killed += 1
        self._end(CANCELLED)

    def _end(self, ending: Ending) -> None:
        with self._lock:
            if self._channel.fileno() < 0:
                return
            self._channel.shutdown(socket.SHUT_RDWR)
            self._channel.close()
        self.pending.end(ending)


class Children:
    """In place of a warm parent."""

    def __init__(self, entry: Answers = agrees, replay: Answers = agrees) -> None:
        self.all: list[Child] = []
        self.lost: set[int] = set()
        self._answers = {"timing": entry, "replay": replay}

    def start(self, order: Path, result: Path, limits: Limits, channel: int) -> Pending:
        assert limits.memory_bytes == Settings(device="cuda").memory_bytes
        assert result.parent.is_dir()
        mode = str(Order.parse(order.read_bytes()).header["mode"])
        lost = len(self.all) in self.lost
        self.all.append(Child(order, channel, self._answers[mode], lost=lost))
        return self.all[-1].pending

    def of(self, mode: str) -> list[Child]:
        return [child for child in self.all if child.header["mode"] == mode]


class Bench:
    """Notes what it is given while the card is ours alone."""

    def __init__(self, found: Performance | Exception = TIMED) -> None:
        self.given: list[tuple[int, int]] = []
        self.no_layouts = False
        self._found = found

    def layouts(self, task: str) -> list[Layout]:
        assert task == "activation/relu"
        if self.no_layouts:
            raise EvaluatorFault("no bench")
        return LAYOUTS

    def time(self, task: str, entries: Any, replays: Any, *_more: Any) -> Performance:
        assert task == "activation/relu"
        assert all(channel >= 0 for channel, _ in entries) and all(one >= 0 for one in replays)
        self.given.append((len(entries), len(replays)))
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


class Stage:
    """One submission through the stage."""

    def __init__(self, children: Children, bench: Bench | None = None) -> None:
        self.children, self.bench = children, bench or Bench()
        self.told: list[str] = []
        self.gate = Gate(1, 1)

    def run(self) -> Performance:
        workers: Any = SimpleNamespace(
            zygotes={"cuda": self.children}, settings=Settings(device="cuda")
        )
        card: Any = SimpleNamespace(device="cpu", gate=self.gate, bench=self.bench)
        attempt: Any = SimpleNamespace(
            submission=Submission(name="mine", task="activation/relu", source="SOURCE"),
            entries=("relu",),
            facts=SimpleNamespace(form="function"),
        )
        try:
            return Timing(workers).performance(attempt, card, self.told.append)
        finally:
            assert all(one.pending.wait(10.0) is not None for one in self.children.all)
            with self.gate.owned():  # it was left free
                pass


def test_an_entry_and_two_replays_are_made_ready_and_gone_afterwards() -> None:
    stage = Stage(Children())
    assert stage.run() == TIMED
    assert stage.bench.given == [(1, 2)]
    assert stage.told == ["preparing", "waiting", "timing"]
    (entry,), replays = stage.children.of("timing"), stage.children.of("replay")
    assert entry.asked == ["hello", "prepare", "prepare", "prepare"]
    assert [one.asked for one in replays] == [["hello"], ["hello"]]
    assert [one.killed for one in stage.children.all] == [1, 1, 1]


def test_nothing_of_a_submission_goes_to_a_replay() -> None:
    stage = Stage(Children())
    stage.run()
    assert [one.header["source"] for one in stage.children.all] == ["SOURCE", "", ""]
    assert {one.header["device"] for one in stage.children.all} == {"cpu"}


def test_what_cannot_be_replayed_has_two_entries_that_compiled_every_form() -> None:
    stage = Stage(Children(_value_dependent))
    assert stage.run() == TIMED
    assert stage.bench.given == [(2, 0)]
    for entry in stage.children.of("timing"):
        assert entry.asked.count("prepare") == len(LAYOUTS)
    assert all(one.killed for one in stage.children.all)


def test_what_it_raises_before_it_is_timed_is_no_verdict() -> None:
    error = {"error": {"type": "ValueError", "message": "zeros"}}
    stage = Stage(Children(lambda op, _: error if op == "prepare" else {"ok": True}))
    assert stage.run() == TIMED
    assert stage.bench.given == [(1, 2)]


def _fails_in_prepare(how: Ending | bytes) -> Children:
    return Children(lambda op, _: how if op == "prepare" else {"ok": True})


@pytest.mark.parametrize(
    ("how", "reason", "said"),
    [
        (Ending(signal=signal.SIGSEGV), Reason.CRASH, "SIGSEGV"),
        (Ending(over="memory", signal=signal.SIGKILL), Reason.MEMORY, "memory"),
        (Ending(exit_code=3, log="bye\n"), Reason.EXIT, "bye"),
        (Ending(exit_code=0), Reason.CRASH, "the process ended"),
        (b"\0" * 8 + b"nonsense" * 10, Reason.MALFORMED, "header"),
    ],
)
def test_an_entry_that_dies_before_it_is_timed_has_failed(
    how: Ending | bytes, reason: Reason, said: str
) -> None:
    stage = Stage(_fails_in_prepare(how))
    found = stage.run()
    assert isinstance(found, Failed)
    assert found.reason is reason
    assert said in found.detail
    assert stage.bench.given == []
    assert stage.told == ["preparing"]


def test_an_entry_that_does_not_answer_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    def hangs(op: str, _times: int) -> dict[str, Any]:
        if op == "prepare":
            ended.wait(20.0)
        return {"ok": True}

    monkeypatch.setattr(
        "kernelbenchx.evaluate.timing.Timing._settings",
        Settings(device="cuda", compile_wall_s=0.05),
    )
    stage = Stage(Children(hangs))
    found = stage.run()
    ended.set()
    assert isinstance(found, Failed) and found.reason is Reason.TIMEOUT


@pytest.mark.parametrize("number", [0, 1])
def test_a_child_that_never_started_is_our_fault(number: int) -> None:
    children = Children()
    children.lost = {number}
    stage = Stage(children)
    found = stage.run()
    assert isinstance(found, Unmeasured)
    assert found.reason is Reason.EVALUATOR
    assert stage.bench.given == []


def test_a_replay_that_fails_to_start_is_our_fault() -> None:
    stage = Stage(Children(replay=lambda _op, _times: Ending(signal=signal.SIGSEGV)))
    found = stage.run()
    assert isinstance(found, Unmeasured)
    assert "replaying" in found.detail


@pytest.mark.parametrize("where", ["layouts", "time"])
def test_a_bench_that_fails_is_our_fault_and_children_are_ended(where: str) -> None:
    stage = Stage(Children(), Bench(EvaluatorFault("the bench ended unexpectedly")))
    stage.bench.no_layouts = where == "layouts"
    found = stage.run()
    assert isinstance(found, Unmeasured) and found.reason is Reason.EVALUATOR
    assert len(stage.children.all) == (0 if where == "layouts" else 3)
    assert all(one.killed for one in stage.children.all)


def test_children_are_ended_whatever_happens() -> None:
    stage = Stage(Children(), Bench(ZeroDivisionError("a bug of ours")))
    with pytest.raises(ZeroDivisionError):
        stage.run()
    assert [one.killed for one in stage.children.all] == [1, 1, 1]


class Dying(Bench):
    """An entry ends while it is timed, and the bench sees only that it is gone."""

    def __init__(self, children: Children, ending: Ending, reason: Reason = Reason.CRASH) -> None:
        super().__init__(Failed(case="c", reason=reason, detail="Gone: the process ended"))
        self._children, self._ending = children, ending

    def time(self, task: str, entries: Any, replays: Any, *more: Any) -> Performance:
        self._children.of("timing")[0]._end(self._ending)
        return super().time(task, entries, replays, *more)


@pytest.mark.parametrize(
    ("ending", "kind", "reason"),
    [
        (Ending(signal=signal.SIGSEGV), Failed, Reason.CRASH),
        (Ending(over="memory", signal=signal.SIGKILL), Failed, Reason.MEMORY),
        (Ending(lost=True, fault="the parent is gone"), Unmeasured, Reason.EVALUATOR),
        (Ending(over="wall", signal=signal.SIGKILL), Unmeasured, Reason.EVALUATOR),
        (Ending(exit_code=0), Failed, Reason.CRASH),
    ],
)
def test_the_parent_knows_why_a_process_was_gone(
    ending: Ending, kind: type[Failed | Unmeasured], reason: Reason
) -> None:
    children = Children()
    found = Stage(children, Dying(children, ending)).run()
    assert isinstance(found, kind)
    assert (found.case, found.reason) == ("c", reason)


def test_another_failure_stays_what_it_is() -> None:
    children = Children()
    bench = Dying(children, Ending(lost=True), Reason.STALE)
    found = Stage(children, bench).run()
    assert isinstance(found, Failed) and found.reason is Reason.STALE
