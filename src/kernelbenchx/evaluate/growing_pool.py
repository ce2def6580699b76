"""A thread pool for work that waits: a thread that steps aside makes room for another one."""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class GrowingPool:
    """Runs functions in the order in which they came; a function must not raise."""

    def __init__(self, threads: int, name: str) -> None:
        self._most = threads
        self._name = name
        self._waiting: deque[Callable[[], object]] = deque()
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self._active = 0
        """Threads that run something, except those that stepped aside."""
        self.on_wait: Callable[[], object] = lambda: None
        """Called after something has to wait for a thread."""

    @property
    def has_waiting(self) -> bool:
        """Whether something waits for a thread."""
        return bool(self._waiting)

    def resize(self, threads: int) -> None:
        """Run so many at once from now on; running functions continue."""
        with self._lock:
            if threads != self._most:
                self._most = threads
                self._start_threads()

    def submit(self, function: Callable[[], object]) -> None:
        """Run it when a thread is free."""
        with self._lock:
            self._waiting.append(function)
            self._start_threads()
        if self.has_waiting:
            self.on_wait()

    @contextmanager
    def step_aside(self) -> Iterator[None]:
        """Let another function run meanwhile; called by one that runs here, or by any thread."""
        mine = threading.current_thread() in self._threads
        with self._lock:
            self._active -= mine
            self._start_threads()
        try:
            yield
        finally:
            with self._lock:
                self._active += mine

    def shutdown(self, *, wait: bool) -> None:
        """Forget what has not begun; wait for what has."""
        with self._lock:
            self._waiting.clear()
            running = set(self._threads)
        for thread in running if wait else ():
            thread.join()

    def _start_threads(self) -> None:
        """Called with the lock held."""
        for _ in range(min(self._most - self._active, len(self._waiting))):
            # A daemon, so that an interpreter that ends without `shutdown` can end.
            thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._threads.add(thread)
            self._active += 1
            thread.start()

    def _work(self) -> None:
        while (function := self._next()) is not None:
            function()

    def _next(self) -> Callable[[], object] | None:
        """What to run now; None where the thread is not needed any more."""
        with self._lock:
            if self._waiting and self._active <= self._most:
                return self._waiting.popleft()
            self._active -= 1
            self._threads.discard(threading.current_thread())
            return None
