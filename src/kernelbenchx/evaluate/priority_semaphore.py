"""A semaphore for so many at once, in which the most urgent waiter goes first."""

import heapq
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager

Urgency = tuple[int, int]
"""The smallest goes first; among equals, the first to come."""


class PrioritySemaphore:
    """A semaphore with an order."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._waiting: list[tuple[Urgency, int]] = []

    @contextmanager
    def acquire(self, urgency: Urgency) -> Iterator[None]:
        """Acquire one of the places."""
        with self._changed:
            mine = (urgency, next(self._numbers))
            heapq.heappush(self._waiting, mine)
            self._changed.wait_for(lambda: self._free > 0 and self._waiting[0] == mine)
            heapq.heappop(self._waiting)
            self._free -= 1
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()
