"""Six counters in memory that two processes share: a start and an end that cost no message.

Sending a message and reading it takes longer than many kernels run, and never the same. Who is
told by message what comes, and then waits for a counter, starts within a microsecond.
"""

import mmap
import os
import time
from collections.abc import Callable, Sequence

from .shared_memory import sealed_file

_BYTES = mmap.PAGESIZE
_FEWEST_PROCESSORS, _PAUSE_S = 8, 0.0001
"""With fewer, those who wait awake would take time from those who work."""
_AWAKE, _LOOK_EVERY = 1 << 20, 256
"""Looks without a pause, which would be many times longer than asked for."""

READY, GO, AWAKE, CALLED, PUT, DONE = range(6)
"""Which counter: the one who was told is waiting; the other lets it go; its device works for it;
all calls have ended; the other wants their results; they are where it can see them."""
_FIRST_SEED = 8


class StartSignal:
    """Counters that only one side raises each; whatever else is written there decides nothing."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._mapped = mmap.mmap(descriptor, _BYTES)
        self._counters = memoryview(self._mapped).cast("Q")

    @classmethod
    def create(cls) -> "StartSignal":
        """A new one; its descriptor is for the other side."""
        return cls(sealed_file("bell", _BYTES))

    def ring(self, which: int, number: int) -> None:
        """Say that it is so far."""
        self._counters[which] = number

    def tell(self, seeds: Sequence[int]) -> None:
        """What calls may draw on; nobody can know it sooner."""
        for number, seed in enumerate(seeds, _FIRST_SEED):
            self._counters[number] = seed

    def seed(self, call: int) -> int:
        """What one of the calls may draw on."""
        return self._counters[_FIRST_SEED + call]

    def wait(
        self, which: int, number: int, limit_s: float, given_up: Callable[[], bool] | None = None
    ) -> bool:
        """Until it is so far; False after the limit, or when waiting makes no sense any more."""
        pause_s = _PAUSE_S if (os.cpu_count() or 1) < _FEWEST_PROCESSORS else 0.0
        until = time.monotonic() + limit_s
        looks = 0
        while self._counters[which] != number:
            looks += 1
            if looks % _LOOK_EVERY == 0 and (
                time.monotonic() > until or (given_up is not None and given_up())
            ):
                return False
            if pause_s or looks > _AWAKE:
                time.sleep(pause_s)
        return True

    def close(self) -> None:
        """Give the memory back."""
        self._counters.release()
        self._mapped.close()
        os.close(self.descriptor)
