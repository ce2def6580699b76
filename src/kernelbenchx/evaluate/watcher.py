"""Told how far a run is."""

from typing import Protocol

from kernelbenchx.core.evaluation import Evaluation


class Listener(Protocol):
    """Told what happens to submissions."""

    def stage(self, submission: str, stage: str) -> None:
        """What happens to a submission now; called from several threads.

        `queued`, `checking`, `compiling`, `calling`, `judging`, `preparing`, `waiting`, `timing`.
        """


class Watcher(Listener, Protocol):
    """Told how far a batch is."""

    def begin(self, total: int, finished: int) -> None:
        """So many submissions, of which some were finished before."""

    def done(self, evaluation: Evaluation) -> None:
        """One more is judged, and stored."""
