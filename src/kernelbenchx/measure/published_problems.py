"""The processes of a published problem beside a bench: one draws and answers, two are timed.

They are confined as submissions are. Only one problem has processes at a time, so that the file of
one problem cannot disturb the times of another.
"""

import contextlib
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from kernelbenchx.measure.baseline_processes import PAIRS
from kernelbenchx.measure.process_control import pid_of
from kernelbenchx.measure.published_calls import PublishedCalls
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed
from kernelbenchx.measure.timed_problem import TimedProblem
from kernelbenchx.runner.isolation import choose
from kernelbenchx.runner.pending_child import PendingChild
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.imported_problem import ImportedProblem
from kernelbenchx.spec.problem import Precision
from kernelbenchx.spec.task import Task
from kernelbenchx.worker import reserved_cores
from kernelbenchx.worker.frames import pack
from kernelbenchx.worker.limits import MIB, Limits

NOT_COMPILED = "torch.compile of a published problem is not measured"
_START = Start(
    main="kernelbenchx.problem_worker.timed_program:serve",
    packages=("core", "worker", "spec", "problem_worker"),
)
_LIFE_S = 6 * 3600.0
_FORK_S = 60.0
_LIMITS = Limits(
    wall_s=_LIFE_S,
    cpu_s=_LIFE_S,
    memory_bytes=16384 * MIB,
    result_bytes=MIB,
    scratch_bytes=256 * MIB,
    log_bytes=MIB,
)


class File(NamedTuple):
    """Why a process is started."""

    text: str
    precision: Precision


@dataclass
class PublishedProblems:
    """The processes, started when the first published problem is timed."""

    device: str = "cpu"
    isolation: str = "auto"
    _zygote: Zygote | None = None
    _file: File | None = None
    _children: list[PendingChild] = field(default_factory=list)
    _helper: RunnerClient | None = None
    _eager: list[RunnerClient] = field(default_factory=list)

    def task(self, task: ImportedProblem) -> TimedProblem:
        """The problem with its published size as the one timing case."""
        file = File(task.text, task.precision)
        return TimedProblem.of(task, PublishedCalls(lambda: self._get_helper(file), self.device))

    def eager(self, task: ImportedProblem) -> list[RunnerClient]:
        """A pair of processes with its own module."""
        self._switch_to(File(task.text, task.precision))
        for number in range(PAIRS):
            if number >= len(self._eager):
                self._eager.append(self._start_process(f"eager {number}"))
            elif not self._eager[number].is_alive():
                self._eager[number].close()
                self._eager[number] = self._start_process(f"eager {number}")
        return self._eager

    def baselines(
        self, task: Task, others: Callable[[], dict[str, list[RunnerClient]]]
    ) -> dict[str, Sequence[RunnerClient]]:
        """The baseline of a published problem is its own module; its processes end when others are
        timed."""
        if isinstance(task, TimedProblem):
            return {"eager": self.eager(task)}
        self.end_processes()
        return dict(others())

    def missing(self, task: Task, compiled: bool) -> tuple[str, ...]:
        """Requested baselines that do not exist."""
        return (NOT_COMPILED,) if compiled and isinstance(task, TimedProblem) else ()

    def own_eager(self, task: Task) -> Callable[[Call], float] | None:
        """How long the module of a published problem takes; None for other tasks."""
        if not isinstance(task, TimedProblem):
            return None
        return partial(task.eager_s, runner=self.eager(task)[0])

    def processes(self) -> list[int]:
        """Process ids of the pair."""
        found = (pid_of(one.process) for one in self._eager if one.process >= 0)
        return [one for one in found if one is not None]

    def end_processes(self) -> None:
        """End all processes; a later request starts new ones."""
        for runner in (*self._eager, *([] if self._helper is None else [self._helper])):
            with contextlib.suppress(RunnerFailed):
                runner.thaw()
            runner.close()
        for child in self._children:
            child.kill()
            child.wait()
        self._eager.clear()
        self._children.clear()
        self._helper = self._file = None

    def close(self) -> None:
        """End everything."""
        self.end_processes()
        if self._zygote is not None:
            self._zygote.stop()
            self._zygote = None

    def _get_helper(self, file: File) -> RunnerClient:
        self._switch_to(file)
        if self._helper is not None and not self._helper.is_alive():
            self._helper.close()
            self._helper = None
        if self._helper is None:
            self._helper = self._start_process("problem")
        return self._helper

    def _switch_to(self, file: File) -> None:
        if self._file != file:
            self.end_processes()
            self._file = file

    def _start_process(self, name: str) -> RunnerClient:
        """Start a process; its messages and times count for this problem alone."""
        assert self._file is not None
        order = {
            "source": self._file.text,
            "precision": self._file.precision,
            "device": self.device,
        }
        ours, theirs = socket.socketpair()
        with theirs, Scratch() as scratch:
            path, result = scratch.order("problem", pack(order)), scratch.result("problem")
            child = self._get_zygote().start(path, result, _LIMITS, theirs.fileno())
        self._children.append(child)
        runner = RunnerClient(name, ours, self.device, trusted=True)
        process = child.process(_FORK_S)
        runner.process = -1 if process is None else process
        return runner

    def _get_zygote(self) -> Zygote:
        if self._zygote is None:
            with reserved_cores.away():
                level = choose(None if self.isolation == "auto" else self.isolation)
                self._zygote = Zygote("timed_problem", level, jobs=2 + PAIRS, start=_START)
                self._zygote.__enter__()
        return self._zygote
