"""Told how far a run is."""

from typing import Protocol, runtime_checkable

from kernelbenchx.core.evaluation import Evaluation


class Listener(Protocol):
    """Told what happens to submissions."""

    def stage(self, submission: str, stage: str) -> None:
        """What happens to a submission now; called from several threads.

        `queued`, `checking`, `compiling`, `calling`, `judging`, `preparing`, `waiting`, `timing`.
        """


@runtime_checkable
class NoteListener(Protocol):
    """A listener may have this, too."""

    def note(self, words: str) -> None:
        """A line for the reader, such as who holds the GPU; called from several threads."""


@runtime_checkable
class NodeListener(Protocol):
    """A listener may have this, too."""

    def nodes(self, nodes: int, slots: int, running: int) -> None:
        """How many nodes judge, how many slots they have, and how many jobs run there now."""


class Watcher(Listener, Protocol):
    """Told how far a batch is."""

    def begin(self, total: int, finished: int) -> None:
        """So many submissions, of which some were finished before."""

    def done(self, evaluation: Evaluation) -> None:
        """One more is judged, and stored."""
