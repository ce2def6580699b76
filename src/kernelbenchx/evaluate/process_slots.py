"""How many submissions may have processes around them at once, on all cards together."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class ProcessSlots:
    """Many side by side, or one alone, who finds the memory of the cards as nobody left it.

    More than there is room for, and those that wait for a card would wait for each other.
    """

    def __init__(self, most: int = 1) -> None:
        self.most = most
        self._there = 0
        self._alone = 0
        """Who wants to be alone, or is: nobody else comes in meanwhile."""
        self._changed = threading.Condition()

    @contextmanager
    def take_one(self) -> Iterator[None]:
        """Room for the processes of one submission beside others."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone and self._there < self.most)
            self._there += 1
        try:
            yield
        finally:
            self._release()

    @contextmanager
    def take_alone(self) -> Iterator[None]:
        """All others have ended, and none begins."""
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
