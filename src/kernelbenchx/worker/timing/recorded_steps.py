"""What a recorded call has done so far: steps in their order, or why it cannot be replayed."""

import hashlib
import threading
from collections.abc import Callable
from typing import Any

from .recorded_memory import NotReplayable, RecordedMemory

READS = "reads a value on the host"


class RecordedSteps:
    """Steps of a call, written by the watchers of operators and launches in the calling thread."""

    def __init__(self, memory: RecordedMemory, stream: Callable[[], int]) -> None:
        self.memory = memory
        self.steps: list[dict[str, Any]] = []
        self.cubins: dict[str, bytes] = {}
        self.reason = ""
        self.paused = 0
        """Above zero while Triton measures configurations: that is no part of the call."""
        self.tuned = False
        self.reads = False
        """The host waited for a value of the device, whatever else prevents a replay."""
        self._stream = stream
        self._started_on = stream()
        self._thread = threading.get_ident()

    def refuse(self, reason: str) -> None:
        """Note why the call cannot be replayed; the first reason counts."""
        self.reason = self.reason or reason

    @property
    def obstacle(self) -> str:
        """Why the call cannot be replayed; a wait of the host is named in any case."""
        if not self.reads or READS in self.reason:
            return self.reason
        return f"{self.reason}, {READS}" if self.reason else READS

    def note(self, what: Callable[[], dict[str, Any] | None], stream: int | None = None) -> None:
        """Write down a step, if it is one; without a stream it went to the current one."""
        if self.paused or self.reason:
            return
        if threading.get_ident() != self._thread:
            self.refuse("works in another thread")
            return
        try:
            step = what()
        except NotReplayable as why:
            self.refuse(str(why))
            return
        if step is not None:
            self._add(step, self._stream() if stream is None else stream)

    def keep(self, cubin: bytes) -> str:
        """Keep a binary and return the digest by which a step names it."""
        digest = hashlib.sha256(cubin).hexdigest()
        self.cubins[digest] = cubin
        return digest

    def _add(self, step: dict[str, Any], stream: int) -> None:
        if stream != self._started_on:
            self.refuse("works on another stream")
        else:
            self.steps.append(step)
