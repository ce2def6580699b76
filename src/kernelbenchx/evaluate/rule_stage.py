"""KernelBench's own rule: one call at the published size, in a process of the submission's own."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from kernelbenchx.core.argument_binding import AS_IT_IS
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed
from kernelbenchx.core.rules import KernelBenchRule, no_answer, not_known
from kernelbenchx.evaluate.ahead import Ahead
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.card_health import is_doubtful
from kernelbenchx.evaluate.cards import CardSlot, beside_others
from kernelbenchx.evaluate.crews import Crews
from kernelbenchx.evaluate.faults import with_endings
from kernelbenchx.evaluate.timed_children import entry_plan, timed_child
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.judging import failure
from kernelbenchx.measure.runners import RunnerFailed
from kernelbenchx.measure.server import NO_MEMORY
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.pending import Pending

Tell = Callable[[str], None]
_CALL_S = 20.0
"""As long as a timed call may take; it may compile before."""


@dataclass(frozen=True)
class RuleStage:
    """Makes the call when nothing else uses the GPU: a published size needs its memory."""

    workers: Workers
    crews: Crews
    ahead: Ahead | None
    works: Callable[[], bool]
    """Whether the GPU does."""

    def run(self, attempt: Attempt, card: CardSlot, tell: Tell) -> KernelBenchRule:
        """Never raises: what goes wrong on our side is not known."""
        try:
            # Nothing of it is for the record, and KernelBench calls by position alone.
            found = self._called(replace(attempt, binding=AS_IT_IS), card, tell)
            if found.reason is None or not is_doubtful(_failed(found)) or self.works():
                return found
            return not_known(f"{card.device} does not work: {found.detail}", found.case)
        except Exception as error:  # noqa: BLE001 - a border: a verdict that is known stays
            return not_known(str(error) or type(error).__name__, reason=Reason.EVALUATOR)

    def _called(self, attempt: Attempt, card: CardSlot, tell: Tell) -> KernelBenchRule:
        """Once more with the GPU to itself, where no memory was left."""
        if self.ahead is not None:
            self.ahead.for_times(attempt, card, tell)
        tell("waiting")
        try:
            with self.crews.one():
                return self._once(attempt, card, tell)
        except EvaluatorFault as fault:
            if NO_MEMORY not in str(fault):
                raise
        tell("waiting")
        with self.crews.alone():
            return self._once(attempt, card, tell)

    def _once(self, attempt: Attempt, card: CardSlot, tell: Tell) -> KernelBenchRule:
        children: list[Pending] = []
        try:
            found = self._judged(attempt, card, tell, children)
        except RunnerFailed as failed:  # its own process, before it was called
            early = failure("", failed)
            found = no_answer(early.reason, early.detail)
        return _as_ended(found, [child.wait() for child in children])

    def _judged(
        self,
        attempt: Attempt,
        card: CardSlot,
        tell: Tell,
        children: list[Pending],
    ) -> KernelBenchRule:
        one = attempt.submission
        digest = "\0".join((one.digest, one.task, one.name))
        limit_s = self.workers.settings.compile_time_limit_s + _CALL_S
        with timed_child(self.workers, entry_plan(attempt, card.device), children) as entry:
            with beside_others(card, tell):
                entry.hello()
            tell("waiting")
            with card.gate.owned():
                tell("judging")
                channel = entry.channel.fileno(), entry.process
                return card.bench.judge_by_rule(one.task, channel, digest, limit_s)


def _as_ended(found: KernelBenchRule, endings: list[Ending]) -> KernelBenchRule:
    """Of a process that was suddenly gone, its parent knows why; if by our fault, it is ours."""
    if found.reason is None:
        return found
    known = with_endings(_failed(found), endings)
    if isinstance(known, Failed):
        return no_answer(known.reason, known.detail, found.case)
    return not_known(getattr(known, "detail", ""), found.case)


def _failed(found: KernelBenchRule) -> Failed:
    return Failed(case=found.case, reason=found.reason or Reason.CRASH, detail=found.detail)
