"""Events of an actor that wait for its driver."""

import threading
import time

from kernelbenchx.cluster.messages import ActorEvent

_TOGETHER_S = 0.1
"""Events within this time of another one are sent with it."""


class EventQueue:
    """Filled by many threads, emptied by the one that replies to the driver."""

    def __init__(self) -> None:
        self._events: list[ActorEvent] = []
        self._changed = threading.Condition()

    def tell(self, submission: str, stage: str) -> None:
        """Add the current stage of a submission."""
        self.put(ActorEvent(kind="stage", name=submission, words=stage))

    def note(self, words: str) -> None:
        """Add a line for the reader."""
        self.put(ActorEvent(kind="note", words=words))

    def put(self, event: ActorEvent) -> None:
        """Add any event."""
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def take(self, patience_s: float) -> list[ActorEvent]:
        """All events so far; waits up to a limit for the first."""
        with self._changed:
            if self._changed.wait_for(lambda: self._events, patience_s):
                self._changed.release()
                try:
                    time.sleep(_TOGETHER_S)
                finally:
                    self._changed.acquire()
            found, self._events = self._events, []
            return found
