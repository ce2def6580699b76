"""Times a correct submission: starts its processes, gives them the GPU alone, returns the times."""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Performance, Timed, Unmeasured
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.gpu_slots import MOST_RUNNERS, GpuSlot, share_for_preparing
from kernelbenchx.evaluate.replay_processes import ReplayProcesses
from kernelbenchx.evaluate.timed_processes import (
    FORK_S,
    entry_plan,
    open_timed_process,
    replay_plan,
)
from kernelbenchx.evaluate.timing_faults import explain_crash, may_be_others_fault
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.case_timing import ReplayFailure
from kernelbenchx.measure.output_judging import describe_failure
from kernelbenchx.measure.process_control import pid_of
from kernelbenchx.measure.runner_client import (
    GONE,
    HUNG,
    SENSELESS,
    RunnerClient,
    RunnerFailed,
    awake,
)
from kernelbenchx.runner.pending_child import PendingChild
from kernelbenchx.worker.timing.layout import Layout
from kernelbenchx.worker.timing.recorded_steps import READS


@dataclass
class Timing:
    """Times submissions that were found correct, or core correct."""

    workers: Workers
    _replayers: dict[int, ReplayProcesses] = field(default_factory=dict)
    """By GPU."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def close(self) -> None:
        """End the processes that replay."""
        for pair in self._replayers.values():
            pair.retire()

    def list_replay_pids(self) -> frozenset[int]:
        """Process ids of the processes that live on between submissions."""
        found = [child for pair in self._replayers.values() for child in pair.children]
        return frozenset(filter(None, map(_read_pid, found)))

    @property
    def _settings(self) -> Settings:
        return self.workers.settings

    def time_submission(
        self,
        attempt: EvaluationState,
        card: GpuSlot,
        tell: Callable[[str], None],
        *,
        alone: bool = False,
    ) -> Performance:
        """Never raises for what a submission does; `alone` after it failed beside others.

        A failure in a process where another submission was replayed before is no verdict: all is
        repeated, on other inputs, in new processes. A failure in the submission's own process is
        its own: a second chance would halve the risk of cheating.
        """
        one = attempt.submission
        # Not by its source alone: another name may be given to the same one, and replayed there.
        digest = "\0".join((one.digest, one.task, one.name, "alone" if alone else ""))
        crew = _TimedProcesses(digest)
        found = self._time_once(attempt, card, tell, crew)
        if crew.reused and may_be_others_fault(found):
            found = self._time_once(
                attempt, card, tell, _TimedProcesses(f"{digest} again", fresh=True)
            )
        return found

    def _time_once(
        self,
        attempt: EvaluationState,
        card: GpuSlot,
        tell: Callable[[str], None],
        crew: "_TimedProcesses",
    ) -> Performance:
        with crew.stack:
            found = self._time_with_fallback(attempt, card, tell, crew)
        # All processes have ended, so it is known how.
        return explain_crash(found, [child.wait() for child in crew.children])

    def _time_with_fallback(
        self,
        attempt: EvaluationState,
        card: GpuSlot,
        tell: Callable[[str], None],
        crew: "_TimedProcesses",
    ) -> Performance:
        try:
            with share_for_preparing(card, tell):
                self._prepare(attempt, card, crew)
            found = self._time_exclusively(attempt, card, tell, crew)
            if isinstance(found, ReplayFailure) and found.refused and crew.reused:
                # The submission replayed there before may be the reason: repeat it elsewhere.
                return Unmeasured(reason=Reason.EVALUATOR, detail=found.why)
            if isinstance(found, ReplayFailure):
                crew.give_up_replay(found.why)
                with share_for_preparing(card, tell):
                    self._give_many_queues(attempt, card, crew)
                found = self._time_exclusively(attempt, card, tell, crew)
            if isinstance(found, ReplayFailure):
                raise EvaluatorFault("these launches cannot be replayed")
            return found
        except RunnerFailed as failed:  # one of its own processes, before it was timed
            return describe_failure("", failed)
        except EvaluatorFault as fault:
            return Unmeasured(reason=Reason.EVALUATOR, detail=str(fault)[:1000])

    def _time_exclusively(
        self,
        attempt: EvaluationState,
        card: GpuSlot,
        tell: Callable[[str], None],
        crew: "_TimedProcesses",
    ) -> Performance | ReplayFailure:
        """Time it while no other process uses the GPU."""
        tell("waiting")
        with card.gate.acquire_exclusive():
            tell("timing")
            return self._time_by_replay(attempt, card, crew)

    def _time_by_replay(
        self, attempt: EvaluationState, card: GpuSlot, crew: "_TimedProcesses"
    ) -> Performance | ReplayFailure:
        """Time it by replay if that is possible."""
        if crew.obstacle:
            return self._ask_bench(attempt, card, crew, ())
        pair = self._get_pair(card)
        if crew.fresh and pair.used:
            pair.retire()
        replays = pair.descriptors()
        crew.reused = pair.used > 0
        good = False
        try:
            found = self._ask_bench(attempt, card, crew, replays)
            sound = isinstance(found, Timed) and not may_be_others_fault(found)
            good = sound or (isinstance(found, ReplayFailure) and not found.refused)
            return found
        finally:
            crew.children += pair.note_use(good=good)

    def _ask_bench(
        self,
        attempt: EvaluationState,
        card: GpuSlot,
        crew: "_TimedProcesses",
        replays: tuple[int, ...],
    ) -> Performance | ReplayFailure:
        task = attempt.submission.task
        known = (crew.obstacle, crew.digest, attempt.core_only, attempt.only_dtype)
        return card.bench.time(task, crew.channels(), replays, *known)

    def _get_pair(self, card: GpuSlot) -> ReplayProcesses:
        with self._lock:
            if card.index not in self._replayers:

                def start(children: list[PendingChild]) -> AbstractContextManager[RunnerClient]:
                    return open_timed_process(self.workers, replay_plan(card.device), children)

                self._replayers[card.index] = ReplayProcesses(start)
            return self._replayers[card.index]

    def _prepare(self, attempt: EvaluationState, card: GpuSlot, crew: "_TimedProcesses") -> None:
        """Start its own processes, compiled and ready: either tier measures call time in them.

        Launches that are replayed are in one stream: then one queue is enough, and starts sooner.
        """
        layouts = card.bench.layouts(attempt.submission.task)
        self._get_pair(card).begin()  # so that they are ready in time
        crew.few_queues = not attempt.foresees_obstacle
        crew.obstacle = self._start_entries(attempt, card, crew, layouts)
        if crew.obstacle:
            self._give_many_queues(attempt, card, crew)

    def _give_many_queues(
        self, attempt: EvaluationState, card: GpuSlot, crew: "_TimedProcesses"
    ) -> None:
        """As many queues as the driver gives, if the submission may use several streams."""
        if crew.few_queues:
            crew.end_entries()
            crew.few_queues = False
            self._start_entries(attempt, card, crew, card.bench.layouts(attempt.submission.task))

    def _start_entries(
        self,
        attempt: EvaluationState,
        card: GpuSlot,
        crew: "_TimedProcesses",
        layouts: Sequence[Layout],
    ) -> str:
        """Start the entries; return why its launches cannot be replayed, or an empty string."""
        for _ in range(MOST_RUNNERS):  # they start in parallel
            crew.entries.append(self._open_entry(attempt, card, crew))
        with ThreadPoolExecutor(MOST_RUNNERS) as pool:
            found = list(pool.map(lambda one: self._compile_entry(one, layouts), crew.entries))
        return _pick_obstacle(found)

    def _compile_entry(self, runner: RunnerClient, layouts: Sequence[Layout]) -> str:
        """Compile in an entry; return why its launches cannot be replayed, or an empty string.
        Every form is compiled either way."""
        with awake(runner):
            runner.hello()
            obstacles = [self._prepare_layout(runner, layout) for layout in layouts]
        return _pick_obstacle(obstacles)

    def _prepare_layout(self, runner: RunnerClient, layout: Layout) -> str:
        """Prepare one layout. An error here is no verdict: it sees zeros, the real calls come
        later."""
        try:
            return runner.prepare(layout, self._settings.compile_time_limit_s)
        except RunnerFailed as failed:
            if failed.kind in (GONE, HUNG, SENSELESS):
                raise
            return ""

    def _open_entry(
        self, attempt: EvaluationState, card: GpuSlot, crew: "_TimedProcesses"
    ) -> RunnerClient:
        plan = entry_plan(attempt, card.device, few_queues=crew.few_queues)
        return crew.stack.enter_context(open_timed_process(self.workers, plan, crew.children))


@dataclass
class _TimedProcesses:
    """The processes around one submission; they are ended when the stack is left."""

    digest: str
    """Decides the inputs."""
    fresh: bool = False
    """Requires processes in which no other submission was replayed."""
    stack: ExitStack = field(default_factory=ExitStack)
    entries: list[RunnerClient] = field(default_factory=list)
    children: list[PendingChild] = field(default_factory=list)
    obstacle: str = ""
    """Why there are no replays."""
    reused: bool = False
    """Another submission had been replayed in its processes."""
    few_queues: bool = False
    """Nothing in its processes can run in parallel with anything else of it."""

    def give_up_replay(self, obstacle: str) -> None:
        """Continue without replays, on new inputs: nothing measured so far counts."""
        self.obstacle = obstacle or "its launches differ"
        self.digest = f"{self.digest} by the clock"

    def end_entries(self) -> None:
        """End the entries: no process may run beside a submission that is timed."""
        for child in self.children[: len(self.entries)]:
            child.kill()
            child.wait()
        self.entries.clear()

    def channels(self) -> tuple[tuple[int, int], ...]:
        """Channels and pidfds of the entries, for the bench."""
        return tuple((runner.channel.fileno(), runner.process) for runner in self.entries)


def _pick_obstacle(obstacles: Sequence[str]) -> str:
    """The most important reason: that the host waits in one must not be lost, since it widens all
    intervals."""
    return max(obstacles, key=lambda one: (READS in one, bool(one)), default="")


def _read_pid(child: PendingChild) -> int | None:
    process = child.process(FORK_S)
    if process is None:
        return None
    try:
        return pid_of(process)
    finally:
        os.close(process)
