"""One actor of a run, as its driver sees it: its jobs, and its events."""

import contextlib
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any, Protocol

from kernelbenchx.cluster.messages import ActorEvent
from kernelbenchx.cluster.nodes import ActorLost, Node
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.record import from_json
from kernelbenchx.evaluate.slot_scheduler import Turn

_SILENT_S = 60.0
"""An actor that is silent for so long is lost; it is asked every second."""


class ActorHandle(Protocol):
    """The calls of an actor on a node."""

    def run(self, job: str, operation: str, request: bytes) -> "Future[bytes]": ...

    def ask(self, method: str, *arguments: Any, **named: Any) -> "Future[bytes]": ...

    def kill(self) -> None: ...


@dataclass(eq=False)
class JobAttempt:
    """A job on its way through one actor: it is answered or lost, whichever comes first."""

    job: str
    turn: Turn | None
    found: "Future[bytes]" = field(default_factory=Future)

    def settle(self, answer: bytes | None, error: BaseException | None) -> bool:
        """Whether this result was the first; all later ones are dropped."""
        with contextlib.suppress(InvalidStateError):
            if error is not None:
                self.found.set_exception(error)
            else:
                self.found.set_result(answer or b"")
            return True
        return False


class PoolActor:
    """An actor that is warm."""

    _numbers = itertools.count(1)

    def __init__(self, handle: ActorHandle, node: Node, slots: int, gpu: str = "") -> None:
        self.handle = handle
        self.node = node
        self.slots = slots
        self.gpu = gpu
        self.busy = 0
        """Slots in use."""
        self.kept_for: object | None = None
        """The job that waits until it is idle; no other gets a slot of it meanwhile."""
        self.lost = ""
        """Why it is lost; empty while it is not."""
        self.late = 0
        """Answers that came after their job was given up here."""
        self._attempts: dict[str, JobAttempt] = {}
        self._lock = threading.Lock()

    @property
    def free(self) -> int:
        """Free slots for other jobs."""
        return 0 if self.lost or self.kept_for is not None else self.slots - self.busy

    def begin(self, job: str, operation: str, request: bytes, turn: Turn | None) -> JobAttempt:
        """Send a job; its slot is taken already."""
        attempt = JobAttempt(job, turn)
        with self._lock:
            lost = self.lost
            self._attempts[job] = attempt
        if lost:
            attempt.settle(None, ActorLost(lost))
        else:
            answer = self.handle.run(job, operation, request)
            answer.add_done_callback(lambda done: self._hear(attempt, done))
        return attempt

    def forget(self, attempt: JobAttempt) -> None:
        """Forget a job that was answered or lost."""
        with self._lock:
            self._attempts.pop(attempt.job, None)

    def end(self, job: str) -> None:
        """End a submission to make room for others; the actor replies that it was put off."""
        self.handle.ask("end", job)

    def lose(self, why: str) -> bool:
        """Mark it as lost, with all that runs there, unless it was before."""
        with self._lock:
            if self.lost:
                return False
            self.lost = why
            attempts = list(self._attempts.values())
        self.handle.kill()  # it may live on, cut off from the rest
        for attempt in attempts:
            attempt.settle(None, ActorLost(why))
        return True

    def stop(self, error: BaseException) -> "Future[bytes]":
        """End it before its jobs do; the future is done when the workers have ended."""
        with self._lock:
            self.lost = self.lost or str(error)
            attempts = list(self._attempts.values())
        for attempt in attempts:
            attempt.settle(None, error)
        return self.handle.ask("close")

    def listen(self, hear: Callable[[ActorEvent], None], lose: Callable[[str], object]) -> None:
        """Forward the actor's events, from a thread, until it is lost."""

        def read() -> None:
            while not self.lost:
                try:
                    asked = self.handle.ask("news", others_wait=self._others_wait())
                    events = from_json(asked.result(_SILENT_S), list[ActorEvent])
                except (ActorLost, EvaluatorFault) as error:
                    lose(str(error))
                    return
                except TimeoutError:
                    lose(f"silent for {_SILENT_S:g} s")
                    return
                for event in events:
                    hear(event)
                    if event.kind == "long":
                        self._note_long(event.name)

        threading.Thread(target=read, name=f"kbx-{self.node.name}", daemon=True).start()

    def _others_wait(self) -> bool:
        with self._lock:
            turns = [one.turn for one in self._attempts.values() if one.turn is not None]
        return any(turn.others_wait for turn in turns)

    def _note_long(self, job: str) -> None:
        with self._lock:
            attempt = self._attempts.get(job)
        if attempt is not None and attempt.turn is not None:
            attempt.turn.note_long()

    def _hear(self, attempt: JobAttempt, done: "Future[bytes]") -> None:
        error = done.exception()
        answer = None if error is not None else done.result()
        if not attempt.settle(answer, error) and answer is not None:
            self.late += 1
