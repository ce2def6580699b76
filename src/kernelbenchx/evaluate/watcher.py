"""Interfaces that receive the progress of a run."""

from typing import Protocol, runtime_checkable

from kernelbenchx.core.evaluation import Evaluation


class Listener(Protocol):
    """Receives what happens to submissions."""

    def stage(self, submission: str, stage: str) -> None:
        """The current stage of a submission; called from several threads.

        `queued`, `checking`, `compiling`, `calling`, `judging`, `preparing`, `waiting`, `timing`.
        """


@runtime_checkable
class NoteListener(Protocol):
    """An optional part of a listener: lines for the reader."""

    def note(self, words: str) -> None:
        """A line for the reader, such as who holds the GPU; called from several threads."""


@runtime_checkable
class NodeListener(Protocol):
    """An optional part of a listener: the nodes of a cluster."""

    def nodes(self, nodes: int, slots: int, running: int) -> None:
        """How many nodes judge, how many slots they have, and how many jobs run there now."""


class Watcher(Listener, Protocol):
    """Receives the progress of a batch."""

    def begin(self, total: int, finished: int) -> None:
        """A batch begins, with so many submissions, of which some were finished before."""

    def done(self, evaluation: Evaluation) -> None:
        """One more is judged and stored."""
