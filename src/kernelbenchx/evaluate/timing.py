"""The performance stage: processes around a correct submission, the card to themselves, times."""

import os
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason, Stage, Void
from kernelbenchx.core.performance import Failed, Performance, Timed, Unmeasured
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.cards import MOST_RUNNERS, CardSlot
from kernelbenchx.evaluate.replays import Replayers
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.judging import failure
from kernelbenchx.measure.runners import GONE, HUNG, SENSELESS, Runner, RunnerFailed, awake
from kernelbenchx.measure.server import REPLAY
from kernelbenchx.measure.stopping import pid_of
from kernelbenchx.runner.endings import Ending, broken
from kernelbenchx.runner.exchange import Plan, write_order
from kernelbenchx.runner.pending import Pending
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.worker.limits import Limits
from kernelbenchx.worker.timing.layout import Layout

_LIFE_S = 1800.0
_FORK_S = 60.0


@dataclass
class Timing:
    """Times submissions that were found correct."""

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
        self, attempt: Attempt, card: CardSlot, tell: Callable[[str], None]
    ) -> Performance:
        """Never raises for what a submission does.

        What went wrong in a process where another submission was replayed before is no verdict:
        all is done again, on other inputs, in processes that nobody has used. What went wrong in
        the submission's own process is its own: a second chance would halve the odds of a cheat.
        """
        digest = attempt.submission.digest
        crew = _Crew(digest)
        found = self._once(attempt, card, tell, crew)
        if crew.reused and _may_be_others_fault(found):
            found = self._once(attempt, card, tell, _Crew(f"{digest} again", fresh=True))
        return found

    def _once(
        self, attempt: Attempt, card: CardSlot, tell: Callable[[str], None], crew: "_Crew"
    ) -> Performance:
        with crew.stack:
            found = self._timed(attempt, card, tell, crew)
        # All children have ended: how is known.
        return _with_endings(found, [child.wait() for child in crew.children])

    def _timed(
        self, attempt: Attempt, card: CardSlot, tell: Callable[[str], None], crew: "_Crew"
    ) -> Performance:
        try:
            tell("preparing")
            with card.gate.shared(soon=True):
                failed = self._prepared(attempt, card, crew)
            if failed is not None:
                return failed
            tell("waiting")
            with card.gate.owned():
                tell("timing")
                return self._measured(attempt, card, crew)
        except EvaluatorFault as fault:
            return Unmeasured(reason=Reason.EVALUATOR, detail=str(fault)[:1000])

    def _measured(self, attempt: Attempt, card: CardSlot, crew: "_Crew") -> Performance:
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
            good = isinstance(found, Timed)
            return found
        finally:
            crew.children += pair.note(good=good)

    def _asked(
        self, attempt: Attempt, card: CardSlot, crew: "_Crew", replays: tuple[int, ...]
    ) -> Performance:
        task = attempt.submission.task
        return card.bench.time(task, crew.channels(), replays, crew.obstacle, crew.digest)

    def _pair(self, card: CardSlot) -> Replayers:
        with self._lock:
            if card.index not in self._replayers:

                def start(children: list[Pending]) -> AbstractContextManager[Runner]:
                    return self.runner("replay", None, card, children)

                self._replayers[card.index] = Replayers(start)
            return self._replayers[card.index]

    def _prepared(self, attempt: Attempt, card: CardSlot, crew: "_Crew") -> Failed | None:
        """The entry compiled and ready; a second one where launches cannot be replayed."""
        layouts = card.bench.layouts(attempt.submission.task)
        self._pair(card).begin()  # so that they are there in time
        for _ in range(MOST_RUNNERS if attempt.foresees_obstacle else 1):  # they start beside
            crew.entries.append(self._child(attempt, card, crew))
        try:
            with ThreadPoolExecutor(MOST_RUNNERS) as pool:
                found = list(pool.map(lambda one: self._compiled(one, layouts), crew.entries))
            crew.obstacle = found[0]
            if crew.obstacle and len(crew.entries) < MOST_RUNNERS:
                crew.entries.append(self._child(attempt, card, crew))
                self._compiled(crew.entries[1], layouts)
        except RunnerFailed as failed:
            return failure("", failed)
        if not crew.obstacle:
            crew.keep_first_entry()
        return None

    def _compiled(self, runner: Runner, layouts: Sequence[Layout]) -> str:
        """Why its launches cannot be replayed, or nothing; every form is compiled either way."""
        with awake(runner):
            runner.hello()
            obstacles = [self._obstacle(runner, layout) for layout in layouts]
        return next(filter(None, obstacles), "")

    def _obstacle(self, runner: Runner, layout: Layout) -> str:
        """What it raises here is no verdict: it sees zeros, the real calls are still to come."""
        try:
            return runner.prepare(layout, self._settings.compile_wall_s)
        except RunnerFailed as failed:
            if failed.kind in (GONE, HUNG, SENSELESS):
                raise
            return ""

    def _child(self, attempt: Attempt, card: CardSlot, crew: "_Crew") -> Runner:
        return crew.stack.enter_context(self.runner("timing", attempt, card, crew.children))

    @contextmanager
    def runner(
        self, mode: str, attempt: Attempt | None, card: CardSlot, children: list[Pending]
    ) -> Iterator[Runner]:
        """A child with a channel; it is gone when this is left.

        One with a submission in it runs only while it is asked something.
        """
        ours, theirs = socket.socketpair()
        runner = Runner(mode, ours, card.device, trusted=mode == "replay")
        with Scratch() as scratch, closing(runner):
            order, result = scratch.path / "order", scratch.result(mode)
            with theirs:
                write_order(order, self._plan(mode, attempt, card))
                pending: Pending = self.workers.zygotes["cuda"].start(
                    order, result, self._limits(), theirs.fileno()
                )
            children.append(pending)
            try:
                if not runner.trusted:
                    process = pending.process(_FORK_S)
                    runner.process = -1 if process is None else process
                yield runner
            finally:
                pending.kill()
                pending.wait()

    def _plan(self, mode: str, attempt: Attempt | None, card: CardSlot) -> Plan:
        """A replaying process is told of no submission."""
        plan = Plan(
            mode=mode,
            source="",
            entries=(),
            form="function",
            language="triton",
            seed=0,
            calls=(),
            device=card.device,
        )
        if attempt is None or mode == "replay":
            return plan
        return replace(
            plan,
            source=attempt.submission.source,
            entries=attempt.entries,
            form=attempt.facts.form,
            language=attempt.submission.language,
            compiled=attempt.compiled,
        )

    def _limits(self) -> Limits:
        return Limits(
            wall_s=_LIFE_S,
            cpu_s=_LIFE_S,
            memory_bytes=self._settings.memory_bytes,
            result_bytes=1 << 20,
        )


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

    def keep_first_entry(self) -> None:
        """End the others: nobody may run beside those who are timed."""
        for child in self.children[1 : len(self.entries)]:
            child.kill()
            child.wait()
        del self.entries[1:]

    def channels(self) -> tuple[tuple[int, int], ...]:
        """For the bench: channels and pidfds of the entries."""
        return tuple((runner.channel.fileno(), runner.process) for runner in self.entries)


def _number_of(child: Pending) -> int | None:
    process = child.process(_FORK_S)
    if process is None:
        return None
    try:
        return pid_of(process)
    finally:
        os.close(process)


def _may_be_others_fault(found: Performance) -> bool:
    """It went wrong where another submission had been, or on our side."""
    if isinstance(found, Failed):
        return found.process.startswith(REPLAY)
    return isinstance(found, Unmeasured) and found.reason is Reason.EVALUATOR


def _with_endings(found: Performance, endings: Sequence[Ending]) -> Performance:
    """Of a process that was suddenly gone, its parent knows why; if by our fault, it is ours."""
    if not isinstance(found, Failed) or found.reason is not Reason.CRASH:
        return found
    for ending in endings:
        if ending.over == "wall":
            detail = "its processes waited for the card longer than they may live"
            return Unmeasured(reason=Reason.EVALUATOR, detail=detail, case=found.case)
        if ending.clean or ending.over == "cancelled":
            continue
        why = broken(ending, Stage.PERF)
        if isinstance(why, Void):
            return Unmeasured(reason=why.reason, detail=why.detail[:1000], case=found.case)
        return Failed(
            case=found.case, reason=why.reason, detail=why.detail[:1000], process=found.process
        )
    return found
