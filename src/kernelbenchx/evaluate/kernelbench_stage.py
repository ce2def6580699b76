"""KernelBench's own rule: one call at the published size, in a process of the submission's own."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from kernelbenchx.core.argument_binding import AS_IT_IS
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed
from kernelbenchx.core.rules import KernelBenchRule, make_failed_rule, make_unknown_rule
from kernelbenchx.evaluate.ahead_compiler import AheadCompiler
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.gpu_health import may_be_gpu_fault
from kernelbenchx.evaluate.gpu_slots import GpuSlot, share_for_preparing
from kernelbenchx.evaluate.process_slots import ProcessSlots
from kernelbenchx.evaluate.timed_processes import entry_plan, open_timed_process
from kernelbenchx.evaluate.timing_faults import explain_crash
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.bench_server import NO_MEMORY
from kernelbenchx.measure.output_judging import describe_failure
from kernelbenchx.measure.runner_client import RunnerFailed
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.pending_child import PendingChild

Tell = Callable[[str], None]
_CALL_S = 20.0
"""Limit of one timed call; compiling may come before."""


@dataclass(frozen=True)
class KernelBenchStage:
    """Makes the call when no other process uses the GPU: a published size needs its memory."""

    workers: Workers
    process_slots: ProcessSlots
    ahead: AheadCompiler | None
    works: Callable[[], bool]
    """Whether the GPU works."""

    def run(self, attempt: EvaluationState, card: GpuSlot, tell: Tell) -> KernelBenchRule:
        """Never raises: after a fault of the evaluator the rule's result is unknown."""
        try:
            # Nothing of it is for the record, and KernelBench calls by position alone.
            found = self._judge_with_retry(replace(attempt, binding=AS_IT_IS), card, tell)
            if found.reason is None or not may_be_gpu_fault(_as_failed(found)) or self.works():
                return found
            return make_unknown_rule(f"{card.device} does not work: {found.detail}", found.case)
        except Exception as error:  # noqa: BLE001 - a border: a verdict that is known stays
            return make_unknown_rule(str(error) or type(error).__name__, reason=Reason.EVALUATOR)

    def _judge_with_retry(
        self, attempt: EvaluationState, card: GpuSlot, tell: Tell
    ) -> KernelBenchRule:
        """Retry once with the GPU to itself if no memory was left."""
        if self.ahead is not None:
            self.ahead.compile_for_timing(attempt, card, tell)
        tell("waiting")
        try:
            with self.process_slots.take_one():
                return self._judge_once(attempt, card, tell)
        except EvaluatorFault as fault:
            if NO_MEMORY not in str(fault):
                raise
        tell("waiting")
        with self.process_slots.take_alone():
            return self._judge_once(attempt, card, tell)

    def _judge_once(self, attempt: EvaluationState, card: GpuSlot, tell: Tell) -> KernelBenchRule:
        children: list[PendingChild] = []
        try:
            found = self._ask_bench(attempt, card, tell, children)
        except RunnerFailed as failed:  # its own process, before it was called
            early = describe_failure("", failed)
            found = make_failed_rule(early.reason, early.detail)
        return _apply_endings(found, [child.wait() for child in children])

    def _ask_bench(
        self,
        attempt: EvaluationState,
        card: GpuSlot,
        tell: Tell,
        children: list[PendingChild],
    ) -> KernelBenchRule:
        one = attempt.submission
        digest = "\0".join((one.digest, one.task, one.name))
        limit_s = self.workers.settings.compile_time_limit_s + _CALL_S
        with open_timed_process(self.workers, entry_plan(attempt, card.device), children) as entry:
            with share_for_preparing(card, tell):
                entry.hello()
            tell("waiting")
            with card.gate.acquire_exclusive():
                tell("judging")
                channel = entry.channel.fileno(), entry.process
                return card.bench.judge_by_rule(one.task, channel, digest, limit_s)


def _apply_endings(found: KernelBenchRule, endings: list[Ending]) -> KernelBenchRule:
    """Explain a process that ended suddenly, by its parent; if kbx ended it, kbx is at fault."""
    if found.reason is None:
        return found
    known = explain_crash(_as_failed(found), endings)
    if isinstance(known, Failed):
        return make_failed_rule(known.reason, known.detail, found.case)
    return make_unknown_rule(getattr(known, "detail", ""), found.case)


def _as_failed(found: KernelBenchRule) -> Failed:
    return Failed(case=found.case, reason=found.reason or Reason.CRASH, detail=found.detail)
