"""The performance stage: processes around a correct submission, the card to themselves, times."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.cards import CardSlot
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.judging import failure
from kernelbenchx.measure.runners import GONE, HUNG, SENSELESS, Runner, RunnerFailed, awake
from kernelbenchx.runner.exchange import Plan, write_order
from kernelbenchx.runner.pending import Pending
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.worker.limits import Limits
from kernelbenchx.worker.timing.layout import Layout

_LIFE_S = 1800.0
_REPLAYS = 2
_FORK_S = 60.0


@dataclass(frozen=True)
class Timing:
    """Times submissions that were found correct."""

    workers: Workers

    @property
    def _settings(self) -> Settings:
        return self.workers.settings

    def performance(
        self, attempt: Attempt, card: CardSlot, tell: Callable[[str], None]
    ) -> Performance:
        """Never raises for what a submission does."""
        task = attempt.submission.task
        with ExitStack() as stack:
            try:
                tell("preparing")
                with card.gate.shared():
                    crew = self._prepared(attempt, card, stack)
                if isinstance(crew, Failed):
                    return crew
                tell("waiting")
                with card.gate.owned():
                    tell("timing")
                    return card.bench.time(task, crew.entries, crew.replays)
            except EvaluatorFault as fault:
                return Unmeasured(reason=Reason.EVALUATOR, detail=str(fault)[:1000])

    def _prepared(self, attempt: Attempt, card: CardSlot, stack: ExitStack) -> "_Crew | Failed":
        """The entry compiled and ready; beside it replays, or a second entry where none can be."""
        layouts = card.bench.layouts(attempt.submission.task)
        first = stack.enter_context(self._runner("timing", attempt, card))
        replays = [
            stack.enter_context(self._runner("replay", attempt, card)) for _ in range(_REPLAYS)
        ]
        obstacle = ""
        try:
            with awake(first):
                first.hello()
                for layout in layouts:
                    obstacle = obstacle or self._compiled(first, layout)
        except RunnerFailed as failed:
            return failure("", failed)
        entries = [first]
        if obstacle:
            second = stack.enter_context(self._runner("timing", attempt, card))
            try:
                with awake(second):
                    second.hello()
                    for layout in layouts:
                        self._compiled(second, layout)
            except RunnerFailed as failed:
                return failure("", failed)
            entries, replays = [first, second], []
        for replay in replays:
            try:
                replay.hello()
            except RunnerFailed as failed:
                raise EvaluatorFault(f"a replaying process failed: {failed}") from failed
        return _Crew(
            tuple((runner.channel.fileno(), runner.process) for runner in entries),
            tuple(runner.channel.fileno() for runner in replays),
        )

    def _compiled(self, runner: Runner, layout: Layout) -> str:
        """Why its launches cannot be replayed, or nothing.

        What it raises here is no verdict: it sees zeros, and the real calls are still to come.
        """
        try:
            return runner.prepare(layout, self._settings.compile_wall_s)
        except RunnerFailed as failed:
            if failed.kind in (GONE, HUNG, SENSELESS):
                raise
            return ""

    @contextmanager
    def _runner(self, mode: str, attempt: Attempt, card: CardSlot) -> Iterator[Runner]:
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
            try:
                if not runner.trusted:
                    process = pending.process(_FORK_S)
                    runner.process = -1 if process is None else process
                yield runner
            finally:
                pending.kill()
                pending.wait()

    def _plan(self, mode: str, attempt: Attempt, card: CardSlot) -> Plan:
        submission = attempt.submission
        return Plan(
            mode=mode,
            source=submission.source if mode == "timing" else "",
            entries=attempt.entries,
            form=attempt.facts.form,
            language=submission.language,
            seed=0,
            calls=(),
            device=card.device,
        )

    def _limits(self) -> Limits:
        return Limits(
            wall_s=_LIFE_S,
            cpu_s=_LIFE_S,
            memory_bytes=self._settings.memory_bytes,
            result_bytes=1 << 20,
        )


@dataclass(frozen=True)
class _Crew:
    entries: tuple[tuple[int, int], ...]
    replays: tuple[int, ...]
