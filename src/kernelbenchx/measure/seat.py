"""The core on which everybody whose calls are timed makes them: one that is fast now.

On a machine that is shared with strangers a core may be half as fast for a second, and calls that
wait for the host with it. A few cores are kept free, and who is timed sits on one of them. It is
looked at before a block and after it: all move together when it is slow, and a block in which it
became slow does not count. Nobody who is timed runs while it is looked at.
"""

import bisect
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kernelbenchx.worker import cores

SLOW = 1.15
"""Times what a core takes when it is fast."""
_FAST = 10
"""One look in so many is faster than what is called fast."""
_STEPS, _LOOKS = 8000, 2


def _look(processor: int) -> float:
    return seconds_on(processor)


@dataclass
class Seat:
    """Holds processes on one of several processors."""

    places: Sequence[int]
    """None: everybody stays wherever they are."""
    look: Callable[[int], float] = _look
    hold: Callable[[int, int], None] = cores.hold
    _processes: list[int] = field(default_factory=list)
    _place: int = 0
    """Which of the places."""
    _seen: list[float] = field(default_factory=list)
    """All looks, in order of size."""

    def take(self, processes: Sequence[int]) -> None:
        """From now on these."""
        self._processes = list(processes)
        self._move(self._place)

    def settle(self) -> None:
        """Move all if this place is slow and another is not."""
        if len(self.places) < 2 or not self._is_slow(now := self._looked(self._place)):
            return
        found = [self._looked(place) for place in range(len(self.places))]
        if min(found) * SLOW < now:
            self._move(found.index(min(found)))

    def steady(self) -> bool:
        """Whether this place is fast now, or there is no other."""
        return len(self.places) < 2 or not self._is_slow(self._looked(self._place))

    def _looked(self, place: int) -> float:
        found = self.look(self.places[place])
        bisect.insort(self._seen, found)
        return found

    def _is_slow(self, found: float) -> bool:
        return found > SLOW * self._seen[len(self._seen) // _FAST]

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
