"""How far models are, on standard error: a live view on a terminal, lines elsewhere."""

import sys
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from kernelbenchx.cli.figures import short
from kernelbenchx.cli.progress import became, redrawn
from kernelbenchx.generate.run import End
from kernelbenchx.generate.tally import Tally

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from kernelbenchx.cli.writing import Meter, Writing
    from kernelbenchx.core.evaluation import Evaluation
    from kernelbenchx.core.transcript import Exchange
    from kernelbenchx.generate.model import Step
    from kernelbenchx.generate.run import Ended


class WritingProgress:
    """Keeps the tally, and shows itself as it can; told from many threads."""

    def __init__(self, *, quiet: bool, console: "Console | None" = None) -> None:
        self.tally = Tally()
        self._quiet = quiet
        self._console = console
        self._view: Writing | None = None
        self._live: Live | None = None
        self._lock = threading.Lock()
        self._count = 0

    def __enter__(self) -> "WritingProgress":
        if self._quiet or not (self._console or sys.stderr.isatty()):
            return self
        from kernelbenchx.cli.writing import Writing

        self._view = Writing(tally=self.tally)
        self._live = redrawn(self._view, self._console)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()
        self._quiet, self._view = True, None  # threads that were left behind have nothing to say

    def meter(self, read: "Callable[[], Meter]") -> None:
        """Where to look for what was spent."""
        if self._view is not None:
            self._view.meter = read

    def begin(self, tasks: Sequence[str]) -> None:
        """Called once, when the tasks are known."""
        self.tally.begin(tasks)
        if self._live is not None and self._view is not None:
            self._view.begin(len(tasks), 0)
            self._live.start()
        else:
            self._print(f"kernels for {len(tasks)} tasks")

    def asking(self, step: "Step") -> None:
        """A request is made."""
        self.tally.asking(step)
        if self._view is not None:
            self._view.stage(_named(step.task, step.path), "asking")

    def answered(self, exchange: "Exchange", *, again: bool) -> None:
        """A reply came, or was remembered."""
        self.tally.answered(exchange)
        if self._view is not None and not again:
            self._view.leave(_named(exchange.task, exchange.step))

    def failed(self, step: "Step", why: str) -> None:
        """A request came to nothing."""
        if self._view is not None:
            self._view.leave(_named(step.task, step.path))
        else:
            self._print(f"  {_named(step.task, step.path)}: no reply, {short(why)}")

    def stage(self, submission: str, stage: str) -> None:
        """Something begins with a submission."""
        if self._view is not None:
            self._view.stage(submission, stage)

    def judged(self, evaluation: "Evaluation") -> None:
        """A submission has its verdict."""
        self.tally.judged(evaluation)
        kind = became(evaluation)
        if self._view is not None:
            self._view.done(evaluation.submission, kind)
        else:
            self._print(f"  {evaluation.submission}: {kind}")

    def ended(self, ended: "Ended") -> None:
        """A task is over for this start."""
        self.tally.ended(ended)
        with self._lock:
            self._count += 1
            place = f"[{self._count}/{len(self.tally.tasks)}]"
        if self._view is not None:
            return
        said = "solved" if self.tally.tasks[ended.task].solved else "not solved"
        if ended.end is not End.DONE:
            said += f", {ended.end.value}: {short(ended.why)}"
        self._print(f"  {place} {ended.task}: {said}")

    def _print(self, line: str) -> None:
        if not self._quiet:
            with self._lock:
                print(line, file=sys.stderr)


def _named(task: str, path: str) -> str:
    return f"{task.partition('/')[2]} {path}"
