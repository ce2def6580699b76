"""Pretended children and a pretended bench, to see the performance stage by itself."""

import os
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from kernelbenchx.core.argument_binding import EntryBinding
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Performance, Unmeasured
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.gpu_lock import GpuLock
from kernelbenchx.evaluate.submission_timing import Timing
from kernelbenchx.measure.case_timing import ReplayFailure
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.pending_child import PendingChild
from kernelbenchx.worker import wire
from kernelbenchx.worker.frames import pack
from kernelbenchx.worker.limits import Limits
from kernelbenchx.worker.order import Order
from kernelbenchx.worker.timing.layout import Layout

CALL: dict[str, Any] = {"args": [], "kwargs": {}, "init": [], "state": {}}
LAYOUTS = [Layout(CALL, (size,), 512, 1) for size in (8, 16, 24)]
COMPILED = pack({"kind": "compiled", "files": []})
SAID = Unmeasured(reason=Reason.DISTURBED, detail="as the bench said")
CANCELLED = Ending(signal=signal.SIGKILL, over="cancelled")
Answers = Callable[[str, int], dict[str, Any] | bytes | Ending]
"""For an operation and how often it was asked for: an answer, raw bytes, or an ending."""


def agrees(_op: str, _times: int) -> dict[str, Any]:
    return {"ok": True}


class Child:
    """One end of a channel in a thread."""

    def __init__(self, order: Path, channel: int, answers: Answers, *, lost: bool = False) -> None:
        parsed = Order.parse(order.read_bytes())
        self.header, self.compiled = parsed.header, len(parsed.compiled)
        self.asked: list[str] = []
        self.killed = 0
        self._answers = answers
        self._channel = socket.socket(fileno=os.dup(channel))
        self.pending = PendingChild(self._kill)
        self._lock = threading.Lock()
        self.pending.start(None)
        if lost:
            self.end(Ending(lost=True, fault="no memory to fork"))
        else:
            threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        try:
            while (message := wire.receive(self._channel, 1 << 20)) is not None:
                op = str(message.header["op"])
                self.asked.append(op)
                answer = self._answers(op, self.asked.count(op))
                if isinstance(answer, Ending):
                    self.end(answer)
                    return
                if isinstance(answer, bytes):
                    self._channel.sendall(answer)
                else:
                    wire.send(self._channel, wire.WireMessage(answer))
        except OSError:
            return

    def _kill(self) -> None:
        self.killed += 1
        self.end(CANCELLED)

    def end(self, ending: Ending) -> None:
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

    def start(self, order: Path, result: Path, limits: Limits, channel: int) -> PendingChild:
        assert limits.memory_bytes == Settings(device="cuda").memory_bytes
        assert result.parent.is_dir()
        mode = str(Order.parse(order.read_bytes()).header["mode"])
        lost = len(self.all) in self.lost
        self.all.append(Child(order, channel, self._answers[mode], lost=lost))
        return self.all[-1].pending

    def of(self, mode: str) -> list[Child]:
        return [child for child in self.all if child.header["mode"] == mode]


class Bench:
    """Notes what it is given while the card is ours alone; says what is planned, the last forever.

    Like the real one it dies of whatever is no answer.
    """

    def __init__(self, *found: Performance | ReplayFailure | Exception) -> None:
        self.given: list[tuple[int, int]] = []
        self.digests: list[str] = []
        self.obstacles: list[str] = []
        self.core_only: list[bool] = []
        self.dtypes: list[str] = []
        self.no_layouts = False
        self.found = list(found or (SAID,))

    def layouts(self, task: str) -> list[Layout]:
        assert task == "activation/relu"
        if self.no_layouts:
            raise EvaluatorFault("no bench")
        return LAYOUTS

    def time(
        self,
        task: str,
        entries: Any,
        replays: Sequence[int],
        obstacle: str,
        digest: str,
        core_only: bool,
        dtype: str,
    ) -> Performance | ReplayFailure:
        self.core_only.append(core_only)
        self.dtypes.append(dtype)
        assert task == "activation/relu"
        assert all(channel >= 0 for channel, _ in entries) and all(one >= 0 for one in replays)
        self.given.append((len(entries), len(replays)))
        self.digests.append(digest)
        self.obstacles.append(obstacle)
        found = self.found.pop(0) if len(self.found) > 1 else self.found[0]
        if isinstance(found, Exception):
            raise found
        return found


class Stage:
    """Submissions through the stage, one after another."""

    def __init__(self, children: Children, bench: Bench | None = None) -> None:
        self.children, self.bench = children, bench or Bench()
        self.told: list[str] = []
        self.gate = GpuLock(1, 1)
        workers: Any = SimpleNamespace(
            zygotes={"cuda": self.children}, settings=Settings(device="cuda")
        )
        self.timing = Timing(workers)

    def one(
        self,
        source: str = "SOURCE",
        card: int = 0,
        *,
        name: str = "mine",
        foreseen: bool = False,
        alone: bool = False,
        core_only: bool = False,
        dtype: str = "",
    ) -> Performance:
        """The next submission; none of its own processes is left."""
        slot: Any = SimpleNamespace(index=card, device="cpu", gate=self.gate, bench=self.bench)
        attempt: Any = SimpleNamespace(
            submission=Submission(name=name, task="activation/relu", source=source),
            source=source,
            entries=("relu",),
            facts=SimpleNamespace(form="function"),
            binding=EntryBinding(),
            compiled=COMPILED,
            foresees_obstacle=foreseen,
            core_only=core_only,
            only_dtype=dtype,
        )
        try:
            return self.timing.time_submission(attempt, slot, self.told.append, alone=alone)
        finally:
            for entry in self.children.of("timing"):
                assert entry.pending.wait(60.0) is not None
            with self.gate.acquire_exclusive():  # it was left free
                pass

    def run(self, *, foreseen: bool = False) -> Performance:
        """The only one; afterwards no process is left at all."""
        try:
            return self.one(foreseen=foreseen)
        finally:
            self.timing.close()
            assert all(one.pending.wait(60.0) is not None for one in self.children.all)
