"""A child that was asked for and has not been heard of yet."""

from collections.abc import Callable
from concurrent.futures import Future

from kernelbenchx.runner.endings import Ending


class Pending:
    """One child from the request to its ending; any thread may wait for it or kill it."""

    def __init__(self, kill: Callable[[], None] = lambda: None) -> None:
        self._future: Future[Ending] = Future()
        self._kill = kill

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

    def end(self, ending: Ending) -> None:
        """Called once, by whoever heard of the ending."""
        self._future.set_result(ending)

    def when_over(self, action: Callable[[], object]) -> None:
        """Do this once when the ending is known, or now if it is."""
        self._future.add_done_callback(lambda _: action())
