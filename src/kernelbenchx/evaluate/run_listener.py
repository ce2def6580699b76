"""Forwards what happens in a run to the current listener."""

from kernelbenchx.evaluate.watcher import Listener, NodeListener, NoteListener


class RunListener:
    """Safe from many threads. Notes that come before the first listener wait for it."""

    def __init__(self) -> None:
        self._listener: Listener | None = None
        self._unheard: list[str] = []

    def set(self, listener: Listener | None) -> None:
        """Make this the listener from now on."""
        self._listener = listener
        while self._unheard and listener is not None:
            self.note(self._unheard.pop(0))

    def tell(self, submission: str, stage: str) -> None:
        """Report the current stage of a submission."""
        if self._listener is not None:
            self._listener.stage(submission, stage)

    def note(self, words: str) -> None:
        """Report a line for the reader."""
        if self._listener is None:
            self._unheard.append(words)
        elif isinstance(self._listener, NoteListener):
            self._listener.note(words)

    def count(self, nodes: int, slots: int, running: int) -> None:
        """Report how many nodes there are, how many slots they have, and how many jobs run."""
        if isinstance(self._listener, NodeListener):
            self._listener.nodes(nodes, slots, running)
