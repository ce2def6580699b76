"""Progress on standard error: a live view on a terminal, lines elsewhere."""

import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from kernelbenchx.cli.number_format import format_count

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from kernelbenchx.cli.activity import Activity
    from kernelbenchx.core.evaluation import Evaluation

V = TypeVar("V", bound="Activity")
_SAID_EVERY_S = 60.0


class NodeRate:
    """How many submissions an hour are judged, said now and then."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = self._said = clock()

    def due(self, judged: int) -> float | None:
        """The rate, or None where it was said a short time ago."""
        now = self._clock()
        if now - self._said < _SAID_EVERY_S:
            return None
        self._said = now
        return judged / (now - self._began) * 3600


class LiveProgress(ABC, Generic[V]):
    """Progress while the context is entered; updated from many threads, silent with `quiet`."""

    def __init__(self, *, quiet: bool, console: "Console | None" = None) -> None:
        self._quiet = quiet
        self._console = console
        self._view: V | None = None
        self._live: Live | None = None
        self._lock = threading.Lock()
        self._judged = 0
        self._rate = NodeRate()

    @abstractmethod
    def _make_view(self) -> V:
        """The live view of a terminal; the library that draws it is loaded only then."""

    def __enter__(self) -> Self:
        if not self._quiet and (self._console or sys.stderr.isatty()):
            self._view = self._make_view()
            self._live = _make_live(self._view, self._console)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()
        self._quiet = True  # threads that were left behind have nothing to say

    def stage(self, submission: str, stage: str) -> None:
        """A submission enters a stage."""
        if self._view is not None:
            self._view.stage(submission, stage)

    def note(self, words: str) -> None:
        """A line that stays."""
        if self._live is not None and not self._quiet:
            self._live.console.print(words, markup=False, highlight=False)
        self._print(words)

    def nodes(self, nodes: int, slots: int, running: int) -> None:
        """What a cluster does; a line now and then where there is no view."""
        words = f"{format_count(nodes, 'node')}, {format_count(slots, 'slot')}, {running} running"
        if self._view is not None:
            self._view.nodes = words
        elif (rate := self._rate.due(self._judged)) is not None:
            self._print(f"{words}, {rate:.0f} an hour")

    def _start(self, total: int, finished: int, line: str) -> None:
        """Set the amount of work and how much of it was done before."""
        if self._live is not None and self._view is not None:
            self._view.begin(total, finished)
            self._live.start()
        else:
            self._print(line)

    def _print(self, line: str) -> None:
        """Where there is no view."""
        if self._view is None and not self._quiet:
            with self._lock:
                print(line, file=sys.stderr)


def _make_live(view: "Activity", console: "Console | None") -> "Live":
    """Drawn in place; nothing of it stays."""
    from rich.console import Console
    from rich.live import Live

    return Live(
        get_renderable=lambda: view,
        console=console or Console(stderr=True, highlight=False),
        refresh_per_second=4,
        transient=True,
        redirect_stdout=False,
    )


def describe_verdict(evaluation: "Evaluation") -> str:
    """The verdict, and that its times could not be measured where they were asked for."""
    from kernelbenchx.core.performance import Unmeasured

    unmeasured = isinstance(evaluation.performance, Unmeasured)
    return f"{evaluation.verdict} but unmeasured" if unmeasured else evaluation.verdict
