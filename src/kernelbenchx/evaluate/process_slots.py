"""Limits how many submissions may have their own processes at once, on all GPUs together."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class ProcessSlots:
    """Several at once, or one alone, which then has the memory of all GPUs.

    With more than fit, submissions that wait for a GPU would wait for each other.
    """

    def __init__(self, most: int = 1) -> None:
        self.most = most
        self._there = 0
        self._alone = 0
        """Set while one waits to be alone or is: no other enters meanwhile."""
        self._changed = threading.Condition()

    @contextmanager
    def take_one(self) -> Iterator[None]:
        """Take a slot for the processes of one submission beside others."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone and self._there < self.most)
            self._there += 1
        try:
            yield
        finally:
            self._release()

    @contextmanager
    def take_alone(self) -> Iterator[None]:
        """Take all slots: the others have ended, and none begins."""
        with self._changed:
            self._alone += 1
            self._changed.wait_for(lambda: not self._there)
            self._there += 1
        try:
            yield
        finally:
            with self._changed:
                self._alone -= 1
            self._release()

    def _release(self) -> None:
        with self._changed:
            self._there -= 1
            self._changed.notify_all()
