"""Progress of an evaluation, on standard error."""

import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from kernelbenchx.cli.live_progress import LiveProgress, describe_verdict
from kernelbenchx.cli.number_format import duration, format_count

if TYPE_CHECKING:
    from kernelbenchx.cli.activity import Activity
    from kernelbenchx.core.evaluation import Evaluation

SILENT_S = 10.0
"""After so long without a line there is one about what is under way."""
MOST_NAMED = 3


class EvaluationProgress(LiveProgress["Activity"]):
    """Shows what `kbx eval` does; prints a line per outcome without a terminal."""

    _total = 0
    _count = 0

    def _make_view(self) -> "Activity":
        from kernelbenchx.cli.activity import Activity

        return Activity()

    def __enter__(self) -> Self:
        super().__enter__()
        self._now: dict[str, tuple[str, float]] = {}
        self._printed = time.monotonic()
        self._over = threading.Event()
        self._speaker = threading.Thread(target=self._break_silence, daemon=True)
        if self._view is None and not self._quiet:
            self._speaker.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._speaker.is_alive():
            self._speaker.join()
        super().__exit__(kind, error, trace)

    def begin(self, total: int, finished: int) -> None:
        """Called once, when it is known how much there is to do."""
        self._total, self._count = total, finished
        again = f", {finished} finished before" if finished else ""
        self._start(total, finished, f"evaluating {format_count(total, 'submission')}{again}")

    def stage(self, submission: str, stage: str) -> None:
        """A submission enters a stage."""
        super().stage(submission, stage)
        with self._lock:
            self._now[submission] = (stage, time.monotonic())

    def done(self, evaluation: "Evaluation") -> None:
        """Called for each submission as soon as it is stored."""
        self._count += 1
        self._judged += 1
        kind = describe_verdict(evaluation)
        if self._view is not None:
            self._view.finish(evaluation.submission, kind)
        with self._lock:
            self._now.pop(evaluation.submission, None)
        self._print(f"  [{self._count}/{self._total}] {evaluation.submission}: {kind}")

    def _print(self, line: str) -> None:
        self._printed = time.monotonic()
        super()._print(line)

    def _break_silence(self) -> None:
        while not self._over.wait(max(0.01, self._printed + SILENT_S - time.monotonic())):
            if time.monotonic() - self._printed >= SILENT_S:
                self._print(f"  waiting for {self._under_way()}")

    def _under_way(self) -> str:
        """The longest in a stage first."""
        now = time.monotonic()
        with self._lock:
            known = sorted(self._now.items(), key=lambda one: one[1][1])
        busy = [one for one in known if one[1][0] != "queued"] or known
        if not busy:
            return "workers to start"
        named = [
            f"{name} ({stage} for {duration(now - since)})"
            for name, (stage, since) in busy[:MOST_NAMED]
        ]
        more = len(busy) - len(named)
        return ", ".join(named) + (f" and {more:,} more" if more else "")
