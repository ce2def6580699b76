"""Totals of a run, task by task: requests, tokens, money, attempts, the best kernel."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.headline import headline
from kernelbenchx.core.outcome import Composition
from kernelbenchx.core.standards import Standard
from kernelbenchx.core.transcript import Exchange
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.run_tasks import TaskEnd


@dataclass(frozen=True, order=True)
class Best:
    """A correct kernel; of two the larger is the better one."""

    pure: bool
    speedup: float
    """Over eager; 0 where there are no times."""
    round: int
    """Negative, so that an earlier one is better."""
    sample: int
    submission: str


@dataclass
class TaskTally:
    """One task."""

    requests: int = 0
    """Answered, in this start or an earlier one."""
    asked: int = 0
    """Made in this start."""
    by_place: int = 0
    """Answered from a recording although the prompt was another."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    attempts: int = 0
    correct: int = 0
    void: int = 0
    best: Best | None = None
    ended: TaskEnd | None = None

    @property
    def solved(self) -> bool:
        """Whether there is a correct kernel, as `core/solved.py` defines it."""
        return self.correct > 0

    @property
    def mixed(self) -> bool:
        """Whether the correct ones all have torch work beside Triton."""
        return self.best is not None and not self.best.pure


@dataclass
class Tally:
    """The tallies of all tasks; updated from many threads."""

    standard: Standard = Standard.STRICT
    """What counts as correct."""
    tasks: dict[str, TaskTally] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, tasks: Sequence[str]) -> None:
        """Set the tasks of the run."""
        self.tasks = {task: TaskTally() for task in tasks}

    def asking(self, step: MethodStep) -> None:
        """Count a request that is made."""
        with self._lock:
            self.tasks[step.task].asked += 1

    def add_reply(self, exchange: Exchange) -> None:
        """Count a reply, from this start or an earlier one."""
        with self._lock:
            task, usage = self.tasks[exchange.task], exchange.reply.usage
            task.requests += 1
            task.by_place += exchange.recalled == "place"
            task.prompt_tokens += usage.prompt
            task.completion_tokens += usage.completion
            if exchange.cost is not None:
                task.cost = (task.cost or 0.0) + exchange.cost

    def add_verdict(self, evaluation: Evaluation) -> None:
        """Count the verdict on a kernel, from this start or an earlier one."""
        with self._lock:
            task = self.tasks[evaluation.task]
            task.attempts += 1
            task.void += type(evaluation.outcome).__name__ == "Void"
            if evaluation.meets(self.standard):
                task.correct += 1
                best = _best(evaluation)
                task.best = best if task.best is None else max(task.best, best)

    def set_task_end(self, ended: TaskEnd) -> None:
        """Note how a task's method ended."""
        with self._lock:
            self.tasks[ended.task].ended = ended

    @property
    def solved(self) -> int:
        """Tasks with a correct kernel."""
        return sum(one.solved for one in list(self.tasks.values()))


def _best(evaluation: Evaluation) -> Best:
    origin = evaluation.origin
    return Best(
        pure=evaluation.composition is Composition.PURE,
        speedup=headline(evaluation.own_performance).speedup or 0.0,
        round=-int(origin.round or 0),
        sample=-origin.sample,
        submission=evaluation.submission,
    )
