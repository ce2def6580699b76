"""Schedules submissions: so many at once, and those that run long in at most half of the slots.

A submission that has to give way ends without a verdict. It is evaluated after all others, and
reuses what its processes already reported.
"""

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol, TypeVar

from kernelbenchx.evaluate.growing_pool import GrowingPool
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.pending_child import PendingChild

if TYPE_CHECKING:
    from kernelbenchx.evaluate.call_results import CallResults

T = TypeVar("T")
LONG_S = 5.0
"""CPU time and sleep after which a submission counts as running long."""
_LOOK_EVERY_S = 0.5


class PutOff(Exception):
    """The submission gave way, without a verdict: evaluate it again when no other waits."""


class SlotHolder(Protocol):
    """The scheduler that gave a submission its slot."""

    def others_wait(self) -> bool: ...

    def note_long(self, turn: "Turn", /) -> None: ...


class Turn:
    """One submission on its way to a verdict; evaluated once, or again after all others."""

    def __init__(self) -> None:
        self.was_put_off = False
        self.results: dict[str, CallResults] = {}
        """What a process reported of its calls before the submission gave way."""
        self.seconds = 0.0
        """How long it was evaluated, in all of its tries."""
        self._turns: SlotHolder | None = None
        self._used_s = 0.0
        self._kill: Callable[[], None] | None = None
        """Ends the process that the turn waits for."""
        self._must_end = self._was_ended = False
        self._lock = threading.Lock()

    def begin(self, turns: SlotHolder) -> None:
        """Note that it has a slot now."""
        self._turns, self._used_s, self._must_end = turns, 0.0, False

    @contextmanager
    def count_seconds(self) -> Iterator[None]:
        """Count how long it is evaluated."""
        started = time.monotonic()
        try:
            yield
        finally:
            self.seconds += time.monotonic() - started

    @property
    def others_wait(self) -> bool:
        """Whether a submission waits that was not put off."""
        return self._turns is not None and self._turns.others_wait()

    @property
    def left_s(self) -> float:
        """Seconds until it runs long."""
        return max(0.0, LONG_S - self._used_s)

    def wait_for(self, pending: PendingChild) -> Ending:
        """How a process of this submission ended; raises `PutOff` if it was ended for others."""
        with self.preempt_by(pending.kill):
            pending.when_long(self.note_long)
            ending = pending.wait()
        with self._lock:
            self._used_s += ending.cpu_seconds
            if self._must_end:
                raise PutOff
        return ending

    @contextmanager
    def preempt_by(self, kill: Callable[[], None]) -> Iterator[None]:
        """While this is open, `kill` makes room for others, at once if the submission has to."""
        with self._lock:
            self._kill = kill
            if self._must_end:
                kill()
        try:
            yield
        finally:
            with self._lock:
                self._kill = None

    def end(self) -> bool:
        """Make room for others, unless it did so before; returns whether it does."""
        with self._lock:
            if self._was_ended:
                return False
            self._must_end = self._was_ended = True
            if self._kill is not None:
                self._kill()
            return True

    def note_long(self) -> None:
        """It runs long: it may have to give way from now on."""
        if self._turns is not None:
            self._turns.note_long(self)


class SlotScheduler:
    """Slots for submissions: one that was put off gets a slot only when no other wants it."""

    def __init__(self, count: int, pool: GrowingPool | None = None) -> None:
        """`pool` holds submissions that wait for a thread, and so for one of these slots."""
        self._free = self.count = count
        self._most_long = max(1, count // 2)
        self._pool = pool
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._waiting: list[tuple[bool, int]] = []
        self._long: list[Turn] = []
        """Turns in the order in which they became long."""

    def resize(self, count: int) -> None:
        """Change the number of slots; slots taken beyond it stay until they are free."""
        with self._changed:
            if count == self.count:
                return
            self._free += count - self.count
            self.count = count
            self._most_long = max(1, count // 2)
            self._changed.notify_all()

    def run(self, evaluate: Callable[[Turn], T]) -> T:
        """Evaluate in one of the slots; once more, after all others, if it gives way."""
        turn = Turn()
        while True:
            try:
                with self._hold_slot(turn):
                    return evaluate(turn)
            except PutOff:
                turn.was_put_off = True

    @contextmanager
    def _hold_slot(self, turn: Turn) -> Iterator[None]:
        aside = turn.was_put_off and self._pool is not None
        with self._pool.step_aside() if aside and self._pool else nullcontext():
            self._wait_for_slot(turn)
        turn.begin(self)
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._long = [one for one in self._long if one is not turn]
                self._changed.notify_all()

    def _wait_for_slot(self, turn: Turn) -> None:
        with self._changed:
            mine = (turn.was_put_off, next(self._numbers))
            heapq.heappush(self._waiting, mine)
            self.make_room()
            # A pool may lose submissions that are cancelled, without a notification.
            while not self._changed.wait_for(lambda: self._may_begin(mine), _LOOK_EVERY_S):
                pass
            heapq.heappop(self._waiting)
            self._free -= 1
            self._changed.notify_all()

    def _may_begin(self, mine: tuple[bool, int]) -> bool:
        later = mine[0] and self._waits_elsewhere()
        return self._free > 0 and self._waiting[0] == mine and not later

    def others_wait(self) -> bool:
        """Whether a submission waits that was not put off."""
        with self._changed:
            first = bool(self._waiting) and not self._waiting[0][0] and self._free <= 0
            return first or self._waits_elsewhere()

    def _waits_elsewhere(self) -> bool:
        return self._pool is not None and self._pool.has_waiting

    def note_long(self, turn: Turn) -> None:
        """Note that it runs long; those beyond half of the slots give way."""
        with self._changed:
            if turn not in self._long:
                self._long.append(turn)
            self.make_room()

    def make_room(self) -> None:
        """End what runs long beyond half of the slots, if a submission waits."""
        with self._changed:
            if not self.others_wait():
                return
            for turn in reversed(self._long):
                if len(self._long) <= self._most_long:
                    break
                if turn.end():
                    self._long.remove(turn)
