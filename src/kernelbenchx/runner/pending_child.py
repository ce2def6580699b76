"""A child that was asked for and has not been heard of yet."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future

from kernelbenchx.runner.endings import Ending


class PendingChild:
    """One child from the request to its ending; any thread may wait for it or kill it."""

    def __init__(self, kill: Callable[[], None] = lambda: None) -> None:
        self._future: Future[Ending] = Future()
        self._kill = kill
        self._lock = threading.Lock()
        self._heard = threading.Event()
        self._process: int | None = None
        self._long: Future[None] = Future()

    def wait(self, timeout: float | None = None) -> Ending:
        """Its ending, again and again; `TimeoutError` where it still runs after so many seconds.

        A child whose ending was not waited for in time runs on: see `kill`.
        """
        return self._future.result(timeout)

    def kill(self) -> None:
        """End the child and all it started; `wait` then says `over="cancelled"`.

        Returns at once. A child that has already ended keeps the ending it has.
        """
        if not self._future.done():
            self._kill()

    def process(self, timeout: float | None = None) -> int | None:
        """A pidfd of the child, which the caller closes: by it the child can be stopped.

        Of a child with a channel only. Waits for it up to so many seconds; None where the child
        has ended, where the system has no such descriptors, or where none came in time.
        """
        self._heard.wait(timeout)
        with self._lock:
            return None if self._process is None else os.dup(self._process)

    def start(self, process: int | None) -> None:
        """The child is there. Called by whoever heard of it; the descriptor is ours from now on."""
        with self._lock:
            if process is not None and self._heard.is_set():
                os.close(process)
                return
            self._process = process
            self._heard.set()

    def end(self, ending: Ending) -> None:
        """Called once, by whoever heard of the ending."""
        with self._lock:
            self._heard.set()
            if self._process is not None:
                os.close(self._process)
                self._process = None
        self._future.set_result(ending)

    def note_long(self) -> None:
        """It has used `Limits.long_s`. Called by whoever heard of it."""
        if not self._long.done():
            self._long.set_result(None)

    def when_long(self, action: Callable[[], object]) -> None:
        """Do this once when it has used `Limits.long_s`, or now if it has."""
        self._long.add_done_callback(lambda _: action())

    def when_over(self, action: Callable[[], object]) -> None:
        """Do this once when the ending is known, or now if it is."""
        self._future.add_done_callback(lambda _: action())
