"""The core on which everybody whose calls are timed makes them: the one that is fast now.

On a machine that is shared with strangers a core may be half as fast for a second, and calls that
wait for the host with it. A few cores are kept free; who is timed sits on one of them, and before
each block all move together if it has become slow.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kernelbenchx.worker import cores

SLOW = 1.2
"""Times the best that was ever seen: then another core may do better."""
_STEPS, _LOOKS = 1500, 3


@dataclass
class Seat:
    """Holds processes on one of several processors."""

    places: Sequence[int]
    """None: everybody stays wherever they are."""
    look: Callable[[int], float] = field(default=lambda place: seconds_on(place))
    hold: Callable[[int, int], None] = cores.hold
    _processes: list[int] = field(default_factory=list)
    _place: int = 0
    """Which of the places."""
    _best: float = float("inf")

    def take(self, processes: Sequence[int]) -> None:
        """From now on these."""
        self._processes = list(processes)
        self._move(self._place)

    def settle(self) -> None:
        """Move all if another place is faster now."""
        if len(self.places) < 2 or self._seen(self._place) <= SLOW * self._best:
            return
        found = [self._seen(place) for place in range(len(self.places))]
        self._move(found.index(min(found)))

    def _seen(self, place: int) -> float:
        found = self.look(self.places[place])
        self._best = min(self._best, found)
        return found

    def _move(self, place: int) -> None:
        self._place = place
        for process in self._processes if self.places else ():
            self.hold(process, self.places[place])


def seconds_on(processor: int) -> float:
    """How long a little work takes there: the best of a few times."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {processor})
    try:
        return min(_work_s() for _ in range(_LOOKS))
    finally:
        os.sched_setaffinity(0, before)


def _work_s() -> float:
    started = time.perf_counter()
    for _ in range(_STEPS):
        pass
    return time.perf_counter() - started
