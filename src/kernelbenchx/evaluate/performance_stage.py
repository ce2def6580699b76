"""The last stage: decides when a submission is timed and which of its times count."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from kernelbenchx.core.huge import HugeState, make_not_judged
from kernelbenchx.core.outcome import (
    Broken,
    CaseState,
    Composition,
    Correct,
    Outcome,
    Reason,
    Stage,
    Wrong,
)
from kernelbenchx.core.performance import Failed, Performance, Tier, Timed, Unmeasured
from kernelbenchx.core.scale import failed_at_huge_call
from kernelbenchx.core.scopes import count_scopes, find_scope
from kernelbenchx.core.standards import Standard, meets_core
from kernelbenchx.evaluate.ahead_compiler import AheadCompiler
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.gpu_health import (
    is_crowded,
    is_gpu_working_alone,
    is_short_of_memory,
    may_be_gpu_fault,
)
from kernelbenchx.evaluate.gpu_slots import GpuSlot, GpuSlots
from kernelbenchx.evaluate.process_slots import ProcessSlots
from kernelbenchx.evaluate.submission_timing import Timing
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.judge.authorship import when_timed

Tell = Callable[[str], None]


@dataclass(frozen=True)
class PerformanceStage:
    """Times submissions on a GPU, each with its own processes."""

    workers: Workers
    gpu_slots: GpuSlots
    timing: Timing
    ahead: AheadCompiler | None

    def run(self, attempt: EvaluationState, outcome: Outcome, card: GpuSlot, tell: Tell) -> None:
        """Times of a correct submission; of one that is core correct, or correct in core calls of
        the first dtype, times on those calls, in fields of their own."""
        if isinstance(outcome, Correct):
            found = self._time(attempt, card, tell)
            attempt.performance = self._with_huge_call(found, card)
            if isinstance(attempt.performance, Failed) and isinstance(found, Timed):
                attempt.core_performance = found
        elif isinstance(outcome, Broken | Wrong) and meets_standard(attempt, Standard.CORE):
            attempt.core_only = True
            found = attempt.core_performance = self._time(attempt, card, tell)
        elif isinstance(outcome, Broken | Wrong) and meets_standard(attempt, Standard.BASIC):
            attempt.core_only, attempt.only_dtype = True, attempt.first_dtype
            found = attempt.basic_performance = self._time(attempt, card, tell)
        else:
            return
        replayed = isinstance(found, Timed) and found.tier is Tier.REPLAY
        attempt.composition = when_timed(attempt.by_source, attempt.composition, replayed=replayed)

    def _with_huge_call(self, found: Performance, card: GpuSlot) -> Performance:
        """A failure of the huge call is one at scale; the times are those of core cases then."""
        if not isinstance(found, Timed) or found.huge is None:
            return found
        if found.huge.state is not HugeState.FAILED:
            return found
        failed = failed_at_huge_call(found, found.huge)
        believed = self._confirm_failure(failed, card, self.gpu_slots.process_slots)
        if believed is failed:
            return failed
        void = make_not_judged(f"{card.device} does not work", found.huge.case)
        return msgspec.structs.replace(found, huge=void)

    def _time(self, attempt: EvaluationState, card: GpuSlot, tell: Tell) -> Performance:
        """Retry with the GPU to itself if other processes held its memory: a submission's own claim
        to lack memory earns no second chance."""
        attempt.stage = Stage.PERF
        if self.ahead is not None:
            self.ahead.compile_for_timing(attempt, card, tell)
        tell("waiting")
        with self.gpu_slots.process_slots.take_one():
            found = self.timing.time_submission(attempt, card, tell)
        if is_short_of_memory(found) and self._is_crowded(card):
            tell("waiting")
            with self.gpu_slots.process_slots.take_alone():
                found = self.timing.time_submission(attempt, card, tell, alone=True)
        return self._confirm_failure(found, card, self.gpu_slots.process_slots)

    def _confirm_failure(
        self, found: Performance, card: GpuSlot, crews: ProcessSlots
    ) -> Performance:
        """Confirm a failure, unless the GPU does not work: then it says nothing about the
        submission."""
        if (
            not isinstance(found, Failed)
            or not may_be_gpu_fault(found)
            or is_gpu_working_alone(self.workers, card, crews)
        ):
            return found
        detail = f"{card.device} does not work: {found.detail}"[:1000]
        seen = {name: getattr(found, name) for name in ("case", "cases", "before", "after")}
        return Unmeasured(reason=Reason.EVALUATOR, detail=detail, **seen)

    def _is_crowded(self, card: GpuSlot) -> bool:
        with card.gate.acquire_exclusive():
            return is_crowded(self.workers, card)


def meets_standard(attempt: EvaluationState, standard: Standard) -> bool:
    """Whether kernels gave a right answer in the core cases of the standard."""
    if attempt.composition is Composition.NOT_A_KERNEL:
        return False
    counts = count_scopes(
        (find_scope(one.needs), one.dtype, one.state is CaseState.PASSED) for one in attempt.cases
    )
    return bool(meets_core(standard, counts, attempt.first_dtype))
