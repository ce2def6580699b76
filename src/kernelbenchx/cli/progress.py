"""How far an evaluation is, on standard error."""

from typing import TYPE_CHECKING

from kernelbenchx.cli.figures import counted
from kernelbenchx.cli.shown import Shown, became

if TYPE_CHECKING:
    from kernelbenchx.cli.live import Activity
    from kernelbenchx.core.evaluation import Evaluation


class Progress(Shown["Activity"]):
    """What `kbx eval` does now; a line per outcome where there is no terminal."""

    _total = 0
    _count = 0

    def _drawn(self) -> "Activity":
        from kernelbenchx.cli.live import Activity

        return Activity()

    def begin(self, total: int, finished: int) -> None:
        """Called once, when it is known how much there is to do."""
        self._total, self._count = total, finished
        again = f", {finished} finished before" if finished else ""
        self._start(total, finished, f"evaluating {counted(total, 'submission')}{again}")

    def done(self, evaluation: "Evaluation") -> None:
        """Called for each submission as soon as it is stored."""
        self._count += 1
        self._judged += 1
        kind = became(evaluation)
        if self._view is not None:
            self._view.done(evaluation.submission, kind)
        self._print(f"  [{self._count}/{self._total}] {evaluation.submission}: {kind}")
