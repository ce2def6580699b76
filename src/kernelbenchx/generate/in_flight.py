"""Requests on their way at once: never more than the limit, first come, first served."""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from kernelbenchx.generate.model import Stopped

LOOK_S = 0.5
"""How often a waiting thread checks whether the run was stopped."""


class Flight:
    """Slots for requests, shared by all threads of a run."""

    def __init__(self, limit: int, stop: threading.Event) -> None:
        if limit < 1:
            raise ValueError(f"at least one request must be able to fly, not {limit}")
        self.limit = limit
        self._stop = stop
        self._lock = threading.Lock()
        self._queue: deque[threading.Event] = deque()
        self._flying = 0
        self._most = 0
        self._calm_until = 0.0

    @property
    def flying(self) -> int:
        """Slots taken just now."""
        return self._flying

    @property
    def most(self) -> int:
        """The most slots that were ever taken at once."""
        return self._most

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait for a slot and for calm; raises `Stopped` where the run ends meanwhile."""
        self._enter()
        try:
            while (left_s := self._calm_until - time.monotonic()) > 0:
                self._stop.wait(left_s)
                self._go_on()
            yield
        finally:
            with self._lock:
                self._leave()

    def calm(self, seconds: float) -> None:
        """Let no request start for so long: the server has asked for a pause."""
        with self._lock:
            self._calm_until = max(self._calm_until, time.monotonic() + seconds)

    def _enter(self) -> None:
        self._go_on()
        turn = threading.Event()
        with self._lock:
            if self._flying < self.limit:
                self._take()
                return
            self._queue.append(turn)
        while not turn.wait(LOOK_S):
            if self._stop.is_set() and self._leave_queue(turn):
                self._go_on()

    def _leave_queue(self, turn: threading.Event) -> bool:
        """Whether the place in the queue was given up before a slot came."""
        with self._lock:
            if turn.is_set():
                return False
            self._queue.remove(turn)
            return True

    def _take(self) -> None:
        self._flying += 1
        self._most = max(self._most, self._flying)

    def _leave(self) -> None:
        """Pass the slot to the thread that waits longest; a later one cannot take it."""
        self._flying -= 1
        if self._queue:
            self._take()
            self._queue.popleft().set()

    def _go_on(self) -> None:
        if self._stop.is_set():
            raise Stopped
