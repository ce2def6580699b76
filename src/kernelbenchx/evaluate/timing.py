"""The performance stage: processes around a correct submission, the card to themselves, times."""

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
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.cards import MOST_RUNNERS, CardSlot, beside_others
from kernelbenchx.evaluate.faults import may_be_others_fault, with_endings
from kernelbenchx.evaluate.replays import Replayers
from kernelbenchx.evaluate.timed_children import FORK_S, entry_plan, replay_plan, timed_child
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.case import Obstacle
from kernelbenchx.measure.judging import failure
from kernelbenchx.measure.runners import GONE, HUNG, SENSELESS, Runner, RunnerFailed, awake
from kernelbenchx.measure.stopping import pid_of
from kernelbenchx.runner.pending import Pending
from kernelbenchx.worker.timing.layout import Layout
from kernelbenchx.worker.timing.notes import READS


@dataclass
class Timing:
    """Times submissions that were found correct, or core correct."""

    workers: Workers
    _replayers: dict[int, Replayers] = field(default_factory=dict)
    """By card."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def close(self) -> None:
        """End the processes that replay."""
        for pair in self._replayers.values():
            pair.retire()

    def replaying(self) -> frozenset[int]:
        """The processes that live on between submissions, by number."""
        found = [child for pair in self._replayers.values() for child in pair.children]
        return frozenset(filter(None, map(_number_of, found)))

    @property
    def _settings(self) -> Settings:
        return self.workers.settings

    def performance(
        self, attempt: Attempt, card: CardSlot, tell: Callable[[str], None], *, alone: bool = False
    ) -> Performance:
        """Never raises for what a submission does; `alone` after it failed beside others.

        What went wrong in a process where another submission was replayed before is no verdict:
        all is done again, on other inputs, in processes that nobody has used. What went wrong in
        the submission's own process is its own: a second chance would halve the odds of a cheat.
        """
        one = attempt.submission
        # Not by its source alone: another name may be given to the same one, and replayed there.
        digest = "\0".join((one.digest, one.task, one.name, "alone" if alone else ""))
        crew = _Crew(digest)
        found = self._once(attempt, card, tell, crew)
        if crew.reused and may_be_others_fault(found):
            found = self._once(attempt, card, tell, _Crew(f"{digest} again", fresh=True))
        return found

    def _once(
        self, attempt: Attempt, card: CardSlot, tell: Callable[[str], None], crew: "_Crew"
    ) -> Performance:
        with crew.stack:
            found = self._timed(attempt, card, tell, crew)
        # All children have ended: how is known.
        return with_endings(found, [child.wait() for child in crew.children])

    def _timed(
        self, attempt: Attempt, card: CardSlot, tell: Callable[[str], None], crew: "_Crew"
    ) -> Performance:
        try:
            with beside_others(card, tell):
                self._prepare(attempt, card, crew)
            found = self._in_turn(attempt, card, tell, crew)
            if isinstance(found, Obstacle) and found.refused and crew.reused:
                # Whoever was replayed there before may be the reason: it is done again elsewhere.
                return Unmeasured(reason=Reason.EVALUATOR, detail=found.why)
            if isinstance(found, Obstacle):
                crew.begin_anew(found.why)
                with beside_others(card, tell):
                    self._give_many_queues(attempt, card, crew)
                found = self._in_turn(attempt, card, tell, crew)
            if isinstance(found, Obstacle):
                raise EvaluatorFault("these launches cannot be replayed")
            return found
        except RunnerFailed as failed:  # one of its own processes, before it was timed
            return failure("", failed)
        except EvaluatorFault as fault:
            return Unmeasured(reason=Reason.EVALUATOR, detail=str(fault)[:1000])

    def _in_turn(
        self, attempt: Attempt, card: CardSlot, tell: Callable[[str], None], crew: "_Crew"
    ) -> Performance | Obstacle:
        """When nobody else uses the card."""
        tell("waiting")
        with card.gate.owned():
            tell("timing")
            return self._measured(attempt, card, crew)

    def _measured(self, attempt: Attempt, card: CardSlot, crew: "_Crew") -> Performance | Obstacle:
        """By replays where there can be some."""
        if crew.obstacle:
            return self._asked(attempt, card, crew, ())
        pair = self._pair(card)
        if crew.fresh and pair.used:
            pair.retire()
        replays = pair.descriptors()
        crew.reused = pair.used > 0
        good = False
        try:
            found = self._asked(attempt, card, crew, replays)
            sound = isinstance(found, Timed) and not may_be_others_fault(found)
            good = sound or (isinstance(found, Obstacle) and not found.refused)
            return found
        finally:
            crew.children += pair.note(good=good)

    def _asked(
        self, attempt: Attempt, card: CardSlot, crew: "_Crew", replays: tuple[int, ...]
    ) -> Performance | Obstacle:
        task = attempt.submission.task
        known = (crew.obstacle, crew.digest, attempt.core_only, attempt.only_dtype)
        return card.bench.time(task, crew.channels(), replays, *known)

    def _pair(self, card: CardSlot) -> Replayers:
        with self._lock:
            if card.index not in self._replayers:

                def start(children: list[Pending]) -> AbstractContextManager[Runner]:
                    return timed_child(self.workers, replay_plan(card.device), children)

                self._replayers[card.index] = Replayers(start)
            return self._replayers[card.index]

    def _prepare(self, attempt: Attempt, card: CardSlot, crew: "_Crew") -> None:
        """Its own processes, compiled and ready: by the call clock they are timed in any tier.

        Launches that are replayed are in one stream: then one queue is enough, and starts sooner.
        """
        layouts = card.bench.layouts(attempt.submission.task)
        self._pair(card).begin()  # so that they are there in time
        crew.few_queues = not attempt.foresees_obstacle
        crew.obstacle = self._entered(attempt, card, crew, layouts)
        if crew.obstacle:
            self._give_many_queues(attempt, card, crew)

    def _give_many_queues(self, attempt: Attempt, card: CardSlot, crew: "_Crew") -> None:
        """As many as the driver gives, where the submission may use several streams."""
        if crew.few_queues:
            crew.end_entries()
            crew.few_queues = False
            self._entered(attempt, card, crew, card.bench.layouts(attempt.submission.task))

    def _entered(
        self, attempt: Attempt, card: CardSlot, crew: "_Crew", layouts: Sequence[Layout]
    ) -> str:
        """Why its launches cannot be replayed, or nothing."""
        for _ in range(MOST_RUNNERS):  # they start beside each other
            crew.entries.append(self._child(attempt, card, crew))
        with ThreadPoolExecutor(MOST_RUNNERS) as pool:
            found = list(pool.map(lambda one: self._compiled(one, layouts), crew.entries))
        return _weightiest(found)

    def _compiled(self, runner: Runner, layouts: Sequence[Layout]) -> str:
        """Why its launches cannot be replayed, or nothing; every form is compiled either way."""
        with awake(runner):
            runner.hello()
            obstacles = [self._obstacle(runner, layout) for layout in layouts]
        return _weightiest(obstacles)

    def _obstacle(self, runner: Runner, layout: Layout) -> str:
        """What it raises here is no verdict: it sees zeros, the real calls are still to come."""
        try:
            return runner.prepare(layout, self._settings.compile_time_limit_s)
        except RunnerFailed as failed:
            if failed.kind in (GONE, HUNG, SENSELESS):
                raise
            return ""

    def _child(self, attempt: Attempt, card: CardSlot, crew: "_Crew") -> Runner:
        plan = entry_plan(attempt, card.device, few_queues=crew.few_queues)
        return crew.stack.enter_context(timed_child(self.workers, plan, crew.children))


@dataclass
class _Crew:
    """The processes around one submission; they are gone when the stack is left."""

    digest: str
    """Decides the inputs."""
    fresh: bool = False
    """No other submission may have been replayed where it is."""
    stack: ExitStack = field(default_factory=ExitStack)
    entries: list[Runner] = field(default_factory=list)
    children: list[Pending] = field(default_factory=list)
    obstacle: str = ""
    """Why there are no replays."""
    reused: bool = False
    """Another submission had been replayed where it was."""
    few_queues: bool = False
    """Nothing of its processes can run beside anything else of them."""

    def begin_anew(self, obstacle: str) -> None:
        """Without replays, on inputs that nobody has seen: nothing that was measured counts."""
        self.obstacle = obstacle or "its launches differ"
        self.digest = f"{self.digest} by the clock"

    def end_entries(self) -> None:
        """Nobody may run beside those who are timed."""
        for child in self.children[: len(self.entries)]:
            child.kill()
            child.wait()
        self.entries.clear()

    def channels(self) -> tuple[tuple[int, int], ...]:
        """For the bench: channels and pidfds of the entries."""
        return tuple((runner.channel.fileno(), runner.process) for runner in self.entries)


def _weightiest(obstacles: Sequence[str]) -> str:
    """That the host waits in one of them must not be lost: it makes the intervals of all wider."""
    return max(obstacles, key=lambda one: (READS in one, bool(one)), default="")


def _number_of(child: Pending) -> int | None:
    process = child.process(FORK_S)
    if process is None:
        return None
    try:
        return pid_of(process)
    finally:
        os.close(process)
