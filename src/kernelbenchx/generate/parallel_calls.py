"""Parallel calls in threads, whose number is limited for a whole run."""

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


def together(calls: Sequence[Callable[[], T]], hands: threading.Semaphore) -> list[T]:
    """Results in the order of the calls; the first error in that order, when all have ended.

    The caller's own thread works too, so that it never waits for a free thread.
    """
    open_calls = _OpenCalls(calls)
    helpers: list[threading.Thread] = []
    while len(helpers) + 1 < len(calls) and hands.acquire(blocking=False):
        helpers.append(threading.Thread(target=_help, args=(open_calls, hands), daemon=True))
    for helper in helpers:
        helper.start()
    open_calls.work()
    for helper in helpers:
        helper.join()
    return open_calls.results()


def _help(open_calls: "_OpenCalls[T]", hands: threading.Semaphore) -> None:
    try:
        open_calls.work()
    finally:
        hands.release()


class _OpenCalls(Generic[T]):
    """Calls of which each is taken once, and their results."""

    def __init__(self, calls: Sequence[Callable[[], T]]) -> None:
        self._calls = calls
        self._next = iter(range(len(calls)))
        self._lock = threading.Lock()
        self._done: dict[int, T] = {}
        self._errors: dict[int, BaseException] = {}

    def work(self) -> None:
        """Take calls until none is left."""
        while (number := self._take_next()) is not None:
            try:
                self._done[number] = self._calls[number]()
            except BaseException as error:  # noqa: BLE001 - raised by `results`, where it belongs
                self._errors[number] = error

    def results(self) -> list[T]:
        """Results in the order of the calls, once all have ended; raises the first error."""
        if self._errors:
            raise self._errors[min(self._errors)]
        return [self._done[number] for number in range(len(self._calls))]

    def _take_next(self) -> int | None:
        with self._lock:
            return next(self._next, None)
