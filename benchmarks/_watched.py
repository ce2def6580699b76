"""The command `kbx` with a note of what happened when: `_watched.py NOTES WORDS...`.

Each line of NOTES is a time of the machine's monotonic clock, a submission and a stage, with tabs
between them; the time is comparable with that of the process that started this one.
"""

import sys
import time
from pathlib import Path

from kernelbenchx.cli import progress
from kernelbenchx.cli.main import main
from kernelbenchx.core.evaluation import Evaluation


class Noting(progress.EvaluationProgress):
    """Writes every event down and shows what it always shows."""

    path = Path()

    def stage(self, submission: str, stage: str) -> None:
        """Called from several threads: one short write, which the system does not tear."""
        self._note(submission, stage)
        super().stage(submission, stage)

    def done(self, evaluation: Evaluation) -> None:
        self._note(evaluation.submission, "done")
        super().done(evaluation)

    def _note(self, submission: str, stage: str) -> None:
        with self.path.open("a", encoding="utf-8") as notes:
            notes.write(f"{time.monotonic()}\t{submission}\t{stage}\n")


if __name__ == "__main__":
    Noting.path = Path(sys.argv[1])
    progress.EvaluationProgress = Noting  # type: ignore[misc]
    sys.argv = ["kbx", *sys.argv[2:]]
    main()
