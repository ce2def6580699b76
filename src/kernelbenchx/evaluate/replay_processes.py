"""Processes that replay plans, kept warm: starting one takes a GPU longer than timing a kernel.

No Python of a submission ever runs in them, and the inputs of two submissions have nothing in
common. Still, kernels of one submission could leave such a process broken. So it is replaced after
any result other than a time. A failure after another submission had used it counts only if it
repeats in new processes.
"""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed
from kernelbenchx.runner.pending_child import PendingChild

PAIRS = 2
MOST_USES = 16
"""Uses after which a pair is replaced even without a failure."""

Start = Callable[[list[PendingChild]], AbstractContextManager[RunnerClient]]


@dataclass
class ReplayProcesses:
    """One pair of replaying processes of one GPU."""

    start: Start
    used: int = 0
    """How many submissions this pair was used for."""
    children: list[PendingChild] = field(default_factory=list)
    _runners: list[RunnerClient] = field(default_factory=list)
    _stack: ExitStack = field(default_factory=ExitStack)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self) -> None:
        """Start those that do not run, without waiting for their devices."""
        with self._lock:
            while len(self._runners) < PAIRS:
                self._runners.append(self._stack.enter_context(self.start(self.children)))

    def descriptors(self) -> tuple[int, ...]:
        """Channels of processes that answer; those that have ended are replaced."""
        try:
            return self._check_answering()
        except RunnerFailed:
            self.retire()
        try:
            return self._check_answering()
        except RunnerFailed as failed:
            self.retire()
            raise EvaluatorFault(f"a replaying process failed: {failed}") from failed

    def _check_answering(self) -> tuple[int, ...]:
        self.begin()
        for runner in self._runners:
            runner.hello()
        return tuple(runner.channel.fileno() for runner in self._runners)

    def note_use(self, *, good: bool) -> list[PendingChild]:
        """Count one more use; return the processes if the pair has to be replaced."""
        self.used += 1
        return [] if good and self.used < MOST_USES else self.retire()

    def retire(self) -> list[PendingChild]:
        """End the pair; the next use starts another. The processes know how each ended."""
        with self._lock:
            ended, self.children = self.children, []
            self._runners.clear()
            self._stack.close()
            self._stack = ExitStack()
            self.used = 0
            return ended
