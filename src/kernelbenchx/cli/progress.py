"""A progress bar on standard error: how many are judged, how fast, how long still."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from kernelbenchx.core.evaluation import Evaluation


class Progress:
    """Shows itself on a terminal; prints a line per outcome elsewhere; quiet when asked."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._terminal = sys.stderr.isatty()
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._total = 0
        self._count = 0

    def __enter__(self) -> "Progress":
        if not self._quiet and self._terminal:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, total: int, finished: int) -> None:
        """Called once, when it is known how much there is to do."""
        self._total, self._count = total, finished
        if self._bar is not None:
            self._task = self._bar.add_task("warming up", total=total, completed=finished)
        elif not self._quiet:
            again = f", {finished} finished before" if finished else ""
            print(f"evaluating {total} submissions{again}", file=sys.stderr)

    def done(self, evaluation: "Evaluation") -> None:
        """Called for each submission as soon as it is stored."""
        self._count += 1
        kind = type(evaluation.outcome).__name__.lower()
        words = f"{evaluation.submission}: {kind}"
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._count, description=words[:60])
        elif not self._quiet:
            print(f"  [{self._count}/{self._total}] {words}", file=sys.stderr)
