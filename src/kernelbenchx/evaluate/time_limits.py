"""The time limit of one call by the rule `auto`: from the witness's slowest call in this run.

No limit is below three seconds. So the witness is run only when a call took longer than that, and
once per task: what it took is kept in the run.
"""

import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.argument_binding import AS_IT_IS
from kernelbenchx.core.time_limit import LEAST_S, MOST_S, call_limit
from kernelbenchx.evaluate.workers import WorkerRun, Workers
from kernelbenchx.runner.orders import CallPlan

NOTE = "time_limit "
"""Prefix of the notes of a run: followed by the name of a task, with the seconds of one call."""


class RunNotes(Protocol):
    """Facts about a run, by name."""

    def read_note(self, key: str, /) -> str: ...

    def note(self, key: str, value: str, /) -> None: ...


class TimeLimits:
    """Limits of one run, by task; measured once and kept."""

    def __init__(self, notes: RunNotes) -> None:
        self._notes = notes
        self._known: dict[str, float] = {}
        self._measuring: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def find_limit(self, task: str) -> float | None:
        """CPU seconds of one call; None if no call needed to know."""
        if task not in self._known and (noted := self._notes.read_note(NOTE + task)):
            self._known[task] = float(noted)
        return self._known.get(task)

    def keep(self, task: str, seconds: float) -> None:
        """Keep what was measured elsewhere, unless it is known."""
        with self._measuring[task]:
            if self.find_limit(task) is None:
                self._note(task, seconds)

    def measure_limit(self, task: str, measure: Callable[[], float]) -> float:
        """The limit, measured now unless it is known; other threads wait for the first of them."""
        with self._measuring[task]:
            known = self.find_limit(task)
            if known is None:
                known = self._note(task, call_limit(measure()))
            return known

    def _note(self, task: str, seconds: float) -> float:
        self._known[task] = seconds
        self._notes.note(NOTE + task, f"{seconds:g}")
        return seconds


@dataclass(frozen=True)
class CallLimit:
    """Runs calls of one submission, each within the limit of its task."""

    limits: TimeLimits
    task: str
    plan: CallPlan
    """All calls of the run: the witness makes the same."""

    def run(self, workers: Workers, plan: CallPlan) -> WorkerRun:
        """Like `Workers.run`; again with more time if the task turns out to have more."""
        known = self.limits.find_limit(self.task)
        run = workers.run(plan, MOST_S, LEAST_S if known is None else known)
        if known is not None or not run.ending.over_call:
            return run
        limit = self.limits.measure_limit(self.task, lambda: self._time_witness(workers))
        return workers.run(plan, MOST_S, limit) if limit > LEAST_S else run

    def _time_witness(self, workers: Workers) -> float:
        """CPU seconds of its slowest call; the maximum if there is no witness or it does not
        finish."""
        if not catalog.witness_path(self.task).is_file():
            return MOST_S
        own = replace(self.plan, binding=AS_IT_IS, language="triton", binaries=())
        plan = replace(own, source=witness_source(self.task))
        ending = replace(workers, turn=None).run(plan, MOST_S).ending
        return ending.slowest_call_s if ending.clean else MOST_S
