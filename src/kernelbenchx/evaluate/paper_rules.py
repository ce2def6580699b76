"""Applies the papers' own rules to a submission: after its verdict, and independent of it."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

from kernelbenchx.catalog.facts import Facts, facts
from kernelbenchx.core.outcome import Reason, Stage
from kernelbenchx.core.rules import KernelBenchRule, KernelBenchXRule, Rules, make_unknown_rule
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.gpu_health import is_gpu_working_alone
from kernelbenchx.evaluate.gpu_slots import GpuSlot, GpuSlots
from kernelbenchx.evaluate.kernelbench_stage import KernelBenchStage
from kernelbenchx.evaluate.kernelbenchx_rule import KernelBenchXStage, PublishedReferences
from kernelbenchx.evaluate.pipeline import Pipeline

NEEDS_GPU = "KernelBench's rule is about published sizes, which take a GPU"


@dataclass(frozen=True)
class PaperRules:
    """Also judges submissions that the source checks refuse: they run in the same sandbox."""

    pipeline: Pipeline
    references: PublishedReferences = field(default_factory=PublishedReferences)

    def judge(self, submission: Submission) -> Rules:
        """Never raises for a fault of the evaluator: the result is unknown then, and retried."""
        known = facts(submission.task)
        tell = partial(self.pipeline.tell, submission.name)
        with ExitStack() as stack:
            cards = self.pipeline.gpu_slots
            card = None if cards is None else stack.enter_context(cards.assign_gpu())
            if known.problem is not None:
                return Rules(kernelbench=self._by_kernelbench(submission, known, card, tell))
            return Rules(kernelbenchx=self._by_kernelbenchx(submission, card, tell))

    def close(self) -> None:
        """End the processes of references."""
        self.references.close()

    def _by_kernelbenchx(
        self, submission: Submission, card: GpuSlot | None, tell: Callable[[str], None]
    ) -> KernelBenchXRule:
        cards = self.pipeline.gpu_slots
        crews = {} if cards is None else {"process_slots": cards.process_slots}
        stage = KernelBenchXStage(
            self.pipeline.workers, self.references, self.pipeline.seed, **crews
        )
        try:
            return stage.run(submission, card, tell)
        except Exception as error:  # noqa: BLE001 - a border: a verdict that is known stays
            why = f"{type(error).__name__}: {error}"[:300]
            return KernelBenchXRule(reason=Reason.EVALUATOR, detail=why)

    def _by_kernelbench(
        self,
        submission: Submission,
        known: Facts,
        card: GpuSlot | None,
        tell: Callable[[str], None],
    ) -> KernelBenchRule:
        cards: GpuSlots | None = self.pipeline.gpu_slots
        if card is None or cards is None:
            return make_unknown_rule(NEEDS_GPU, reason=Reason.UNSUPPORTED)
        attempt = EvaluationState(submission, known, accepted_entries(known), stage=Stage.PERF)
        works = partial(is_gpu_working_alone, self.pipeline.workers, card, cards.process_slots)
        stage = KernelBenchStage(
            self.pipeline.workers, cards.process_slots, self.pipeline.ahead, works
        )
        return stage.run(attempt, card, tell)
