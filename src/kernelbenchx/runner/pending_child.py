"""A child that was requested and has not ended yet."""

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
        """Wait for its ending; `TimeoutError` where it still runs after so many seconds.

        May be called again. A child whose ending was not waited for in time runs on: see `kill`.
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
        """Note that the child runs; takes ownership of the descriptor. Called by the listener."""
        with self._lock:
            if process is not None and self._heard.is_set():
                os.close(process)
                return
            self._process = process
            self._heard.set()

    def end(self, ending: Ending) -> None:
        """Set the ending. Called once, by the listener."""
        with self._lock:
            self._heard.set()
            if self._process is not None:
                os.close(self._process)
                self._process = None
        self._future.set_result(ending)

    def note_long(self) -> None:
        """Note that it has used `Limits.long_s`. Called by the listener."""
        if not self._long.done():
            self._long.set_result(None)

    def when_long(self, action: Callable[[], object]) -> None:
        """Call `action` once when it has used `Limits.long_s`, or now if it has."""
        self._long.add_done_callback(lambda _: action())

    def when_over(self, action: Callable[[], object]) -> None:
        """Call `action` once when the ending is known, or now if it is."""
        self._future.add_done_callback(lambda _: action())
