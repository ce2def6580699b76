"""How far a run is, on standard error: a live view on a terminal, lines elsewhere."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

    from kernelbenchx.cli.live import Activity
    from kernelbenchx.core.evaluation import Evaluation


class Progress:
    """Shows itself on a terminal; prints a line per outcome elsewhere; quiet when asked."""

    def __init__(self, *, quiet: bool, console: "Console | None" = None) -> None:
        self._quiet = quiet
        self._console = console
        self._activity: Activity | None = None
        self._live: Live | None = None
        self._total = 0
        self._count = 0

    def __enter__(self) -> "Progress":
        if self._quiet or not (self._console or sys.stderr.isatty()):
            return self
        from kernelbenchx.cli.live import Activity

        self._activity = Activity()
        self._live = redrawn(self._activity, self._console)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def begin(self, total: int, finished: int) -> None:
        """Called once, when it is known how much there is to do."""
        self._total, self._count = total, finished
        if self._live is not None and self._activity is not None:
            self._activity.begin(total, finished)
            self._live.start()
        elif not self._quiet:
            again = f", {finished} finished before" if finished else ""
            print(f"evaluating {total} submissions{again}", file=sys.stderr)

    def stage(self, submission: str, stage: str) -> None:
        """Called when something begins with a submission, from several threads."""
        if self._activity is not None:
            self._activity.stage(submission, stage)

    def done(self, evaluation: "Evaluation") -> None:
        """Called for each submission as soon as it is stored."""
        self._count += 1
        kind = became(evaluation)
        if self._activity is not None:
            self._activity.done(evaluation.submission, kind)
        elif not self._quiet:
            print(f"  [{self._count}/{self._total}] {evaluation.submission}: {kind}",
                  file=sys.stderr)  # fmt: skip


def redrawn(view: "RenderableType", console: "Console | None") -> "Live":
    """A view that is drawn in place on standard error, and of which nothing stays."""
    from rich.console import Console
    from rich.live import Live

    return Live(
        get_renderable=lambda: view,
        console=console or Console(stderr=True, highlight=False),
        refresh_per_second=4,
        transient=True,
        redirect_stdout=False,
    )


def became(evaluation: "Evaluation") -> str:
    """An outcome in a word, and what became of its times where that is not what it should be."""
    from kernelbenchx.core.headline import headline

    kind, times = type(evaluation.outcome).__name__.lower(), headline(evaluation.performance).kind
    return f"{kind} but {times}" if times in ("failed", "unmeasured") else kind
