"""Six counters in memory that two processes share: they report starts and ends without messages.

Sending a message and reading it takes longer than many kernels run, and never the same. A process
that learns by message what comes, and then waits for a counter, starts within a microsecond.
"""

import mmap
import os
import time
from collections.abc import Callable, Sequence

from .shared_memory import sealed_file

_BYTES = mmap.PAGESIZE
_FEWEST_PROCESSORS, _PAUSE_S = 8, 0.0001
"""With fewer, busy waiting would take time from the processes that work."""
_AWAKE, _LOOK_EVERY = 1 << 20, 256
"""Reads of a counter without a pause: a pause takes many times longer than requested."""

READY, GO, AWAKE, CALLED, PUT, DONE = range(6)
"""The counters in order.

The runner is waiting; it may go; its device works for it; all calls have ended; the judge wants
their results; they are where it can see them.
"""
_FIRST_SEED = 8


class StartSignal:
    """Counters that only one side raises each; other values written there have no effect."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._mapped = mmap.mmap(descriptor, _BYTES)
        self._counters = memoryview(self._mapped).cast("Q")

    @classmethod
    def create(cls) -> "StartSignal":
        """A new signal; its descriptor is for the other side."""
        return cls(sealed_file("bell", _BYTES))

    def ring(self, which: int, number: int) -> None:
        """Raise a counter."""
        self._counters[which] = number

    def tell(self, seeds: Sequence[int]) -> None:
        """Write the random seeds of the calls; they cannot be known sooner."""
        for number, seed in enumerate(seeds, _FIRST_SEED):
            self._counters[number] = seed

    def seed(self, call: int) -> int:
        """The random seed of one of the calls."""
        return self._counters[_FIRST_SEED + call]

    def wait(
        self, which: int, number: int, limit_s: float, given_up: Callable[[], bool] | None = None
    ) -> bool:
        """Wait for a counter; False after the limit, or when waiting makes no sense any more."""
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
        """Unmap the memory."""
        self._counters.release()
        self._mapped.close()
        os.close(self.descriptor)
