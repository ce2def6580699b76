"""Runs the stages in order; the first outcome ends an evaluation."""

import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

import msgspec

from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.languages import language_of
from kernelbenchx.core.environment import Environment
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    NOTHING_TO_RETRY,
    Broken,
    Outcome,
    Reached,
    Reason,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import checking, kernel_evidence, module_weights, stages, undefined_lanes
from kernelbenchx.evaluate.ahead_compiler import AheadCompiler
from kernelbenchx.evaluate.call_results import CallResults
from kernelbenchx.evaluate.call_runner import CallRunner
from kernelbenchx.evaluate.calls import Slot, plan_slots, poisoned_slots
from kernelbenchx.evaluate.case_results import failed_calls, judge_cases
from kernelbenchx.evaluate.checking import (
    EvaluationProvenance,
    build_evaluation,
    void_by_fault,
    void_unsupported,
)
from kernelbenchx.evaluate.compile_kernels import add_compile_errors
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.gpu_slots import GpuSlot, GpuSlots
from kernelbenchx.evaluate.imported_problems import require_audit_of
from kernelbenchx.evaluate.machine import read_gpu_name
from kernelbenchx.evaluate.performance_stage import PerformanceStage
from kernelbenchx.evaluate.slot_scheduler import PutOff, Turn
from kernelbenchx.evaluate.submission_timing import Timing
from kernelbenchx.evaluate.time_limits import CallLimit, TimeLimits
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.runner.orders import CallPlan, WorkerReport
from kernelbenchx.runner.problem_files import ProblemFiles
from kernelbenchx.runner.toolchain import can_run
from kernelbenchx.spec.contract import Rung
from kernelbenchx.spec.imported_problem import BadProblem

RETRIES = 2
"""How often a fault of the evaluator is retried before it is recorded as void."""


def _ignore_progress(_submission: str, _stage: str) -> None:
    """Ignore progress: nothing watches this evaluation."""


@dataclass(frozen=True)
class Pipeline:
    """Evaluates submissions, one at a time per thread."""

    workers: Workers
    seed: int
    """The seed of the run: secret until the run is over, then recorded."""
    environment: Environment
    tell: Callable[[str, str], None] = _ignore_progress
    """Called with a submission's name and its current stage, from several threads."""
    gpu_slots: GpuSlots | None = None
    """Where kernels run, unless they are interpreted."""
    timing: Timing | None = None
    ahead: AheadCompiler | None = None
    """Compiles for a GPU before the submission uses it."""
    problems: ProblemFiles | None = None
    """The sandbox of published problems, if there are any."""
    only: frozenset[str] = frozenset()
    """The cases to call; all if none is named. Some of the cases never make a submission
    correct."""
    time_limits: TimeLimits | None = None
    """Time limits of the run, by the rule `auto`."""
    _planning: threading.Lock = field(default_factory=threading.Lock)
    """Drawing inputs keeps the interpreter busy, which does one thing at a time. So the first
    submission is drawn first and compiled meanwhile, instead of all being drawn together. Sources
    are checked before, in bounded time: none of them waits for another."""

    @property
    def settings(self) -> ResolvedSettings:
        """As resolved for the run."""
        return self.workers.settings

    def evaluate(self, submission: Submission, turn: Turn | None = None) -> Evaluation:
        """Evaluate one submission; a fault of the evaluator is retried and never becomes the
        submission's.

        With a turn it may give way to others, and raises `PutOff`.
        """
        # On a GPU nothing gives way: another submission may have ended what failed there.
        judge = self if turn is None or self.gpu_slots is not None else self._make_preemptible(turn)
        turn = turn or Turn()
        with turn.count_seconds():
            attempt, outcome = judge._judge_with_retries(submission)
        return build_evaluation(attempt, outcome, self._build_provenance(attempt), turn.seconds)

    def _make_preemptible(self, turn: Turn) -> "Pipeline":
        return replace(self, workers=replace(self.workers, turn=turn))

    def _judge_with_retries(self, submission: Submission) -> tuple[EvaluationState, Outcome]:
        if language_of(submission.source, submission.language) == "triton":
            require_audit_of(self.problems, submission.task)
        known = facts(submission.task)
        for _ in range(RETRIES + 1):
            attempt = EvaluationState(submission, known, accepted_entries(known))
            outcome = self._outcome(attempt)
            if not isinstance(outcome, Void) or outcome.reason in NOTHING_TO_RETRY:
                break
        return attempt, outcome

    def _build_provenance(self, attempt: EvaluationState) -> EvaluationProvenance:
        """Build the provenance for each: a machine may have GPUs of several kinds."""
        machine = self.environment
        if attempt.card is not None:
            machine = msgspec.structs.replace(machine, gpu=read_gpu_name(attempt.card))
        return EvaluationProvenance(self.settings, self.seed, machine, self.workers.isolation)

    def stop(self) -> None:
        """End everything that runs, also what waits for a GPU of another process."""
        self.workers.stop()
        if self.gpu_slots is not None:
            self.gpu_slots.stop_waiting()

    def _outcome(self, attempt: EvaluationState) -> Outcome:
        try:
            return self._through_stages(attempt)
        except PutOff:
            raise
        except EvaluatorFault as fault:
            return Void(reason=Reason.EVALUATOR, detail=str(fault)[:1000])
        except BadProblem as error:
            return Void(reason=Reason.PROBLEM, detail=f"the problem's own file: {error}"[:1000])
        except Exception as error:  # noqa: BLE001 - a border: our failure is never the submission's
            return void_by_fault(error)

    def _through_stages(self, attempt: EvaluationState) -> Outcome:
        if self.gpu_slots is None:
            return self._stages_on(attempt, None)
        with self.gpu_slots.assign_gpu() as card:
            attempt.card = card.index
            outcome = self._stages_on(attempt, card)
            if self.settings.stage is Stage.PERF and self.timing is not None:
                stage = PerformanceStage(self.workers, self.gpu_slots, self.timing, self.ahead)
                stage.run(attempt, outcome, card, self._teller(attempt))
            return outcome

    def _teller(self, attempt: EvaluationState) -> Callable[[str], None]:
        return lambda stage: self.tell(attempt.submission.name, stage)

    def _stages_on(self, attempt: EvaluationState, card: GpuSlot | None) -> Outcome:
        tell = self._teller(attempt)
        tell("checking")
        refused = self._refuse_by_source(attempt)
        if refused is not None:
            return refused
        outcome = self._run_calls(attempt, card, tell)
        again = module_weights.plan_second_try(attempt, outcome)
        if again is None:
            return outcome
        found = self._run_calls(again, card, tell)
        return module_weights.choose_outcome(attempt, outcome, again, found)

    def _run_calls(
        self, attempt: EvaluationState, card: GpuSlot | None, tell: Callable[[str], None]
    ) -> Outcome:
        with self._planning:
            plan, planned = self._plan_calls(attempt)
        if card is not None:
            plan = replace(plan, device=card.device)
            if self.ahead is not None:
                plan = self.ahead.compile_for_checks(attempt, plan, card, tell)
        secret = derive_seed(self.seed, attempt.submission.digest, "calling")
        limit = self._limit_of_calls(attempt, plan)
        giving_way = (self.workers.turn, attempt.submission.task)
        calling = CallRunner(self.workers, plan, planned, tell, secret, limit, *giving_way)
        outcome, called = self._call_and_judge(attempt, calling, card)
        if card is None and attempt.binaries:
            calling = replace(calling, plan=replace(plan, binaries=attempt.binaries))
            outcome, called = self._rejudge_with_binaries(attempt, calling, (outcome, called))
        if card is None and undefined_lanes.may_decide_outcome(outcome, called):
            outcome = self._rejudge_with_zeros(attempt, calling, outcome)
        return outcome

    def _limit_of_calls(self, attempt: EvaluationState, plan: CallPlan) -> CallLimit | None:
        """None if only some cases are called: the witness's slowest may not be among them."""
        if self.time_limits is None or not self.settings.limits_calls or self.only:
            return None
        return CallLimit(self.time_limits, attempt.submission.task, plan)

    def _call_and_judge(
        self, attempt: EvaluationState, calling: CallRunner, card: GpuSlot | None
    ) -> tuple[Outcome, CallResults]:
        """Call, compile, judge."""
        called = self._make_calls(calling, card)
        attempt.weights = attempt.weights or module_weights.find_route(called.report)
        if self._compiles and called.whole is None:
            calling.tell("compiling")
            known = (attempt, self.workers, called, calling.planned, self.seed)
            called = add_compile_errors(*known)
        calling.tell("judging")
        return called.whole or self._judge_calls(attempt, called, calling, card), called

    def _rejudge_with_binaries(
        self,
        attempt: EvaluationState,
        calling: CallRunner,
        with_guesses: tuple[Outcome, CallResults],
    ) -> tuple[Outcome, CallResults]:
        """Repeat the calls for a wrapper that sizes its grid by the compiler's report."""
        again = attempt.copy_before_calls()
        outcome, called = self._call_and_judge(again, calling, None)
        if isinstance(outcome, Void):
            return with_guesses
        attempt.adopt(again)
        return outcome, called

    def _rejudge_with_zeros(
        self, attempt: EvaluationState, calling: CallRunner, with_poison: Outcome
    ) -> Outcome:
        """Repeat with zeros, as on a GPU, for a load that masks lanes off without saying what they
        hold."""
        again = attempt.copy_before_calls()
        outcome, called = self._call_and_judge(again, undefined_lanes.with_zeros(calling), None)
        if isinstance(outcome, Void):
            return with_poison
        if not isinstance(outcome, Broken | Wrong):
            again.flags += undefined_lanes.describe_loads(called.report)
        attempt.adopt(again)
        return outcome

    def _refuse_by_source(self, attempt: EvaluationState) -> Outcome | None:
        """Refuse by its source, or because it is not wanted or cannot be run."""
        refused = checking.check_source(attempt, self.settings)
        if refused is not None or self.settings.stage is Stage.CHECK:
            return refused or Reached(stage=Stage.CHECK)
        language = attempt.submission.language
        if not can_run(language):
            return void_unsupported(f"this machine cannot run submissions in {language}")
        return stages.refuse_without_core_call(attempt, self.seed)

    def _plan_calls(self, attempt: EvaluationState) -> tuple[CallPlan, tuple[Slot, ...]]:
        attempt.stage = Stage.CALL
        mode = "interpret" if self.settings.device == "interpreter" else "cuda"
        digest, task = attempt.submission.digest, attempt.submission.task
        planned = plan_slots(
            task, self.seed, derive_seed(self.seed, digest), self.only, attempt.binding
        )
        plan = stages.plan_for(
            attempt, mode, planned, derive_seed(self.seed, digest, "run"), self.settings
        )
        return plan, planned

    def _make_calls(self, calling: CallRunner, card: GpuSlot | None) -> CallResults:
        if card is None or self.gpu_slots is None:
            return calling.run_calls()
        return calling.run_on_gpu(card, self.gpu_slots.process_slots)

    @property
    def _compiles(self) -> bool:
        """What the interpreter ran is compiled, too; what a GPU ran has been."""
        return self.settings.device == "interpreter" and self.settings.compile

    def _call_with_poison(
        self, attempt: EvaluationState, calling: CallRunner, card: GpuSlot | None
    ) -> tuple[WorkerReport, tuple[Slot, ...]]:
        """Repeat the calls without kernels, each group in its own process: a call that ends its
        process hides no other."""
        again = poisoned_slots(calling.planned)
        groups: dict[tuple[str, str], list[int]] = {}
        for number, slot in enumerate(again):
            groups.setdefault((slot.poison, slot.drawn.case.name), []).append(number)
        found = WorkerReport()
        for numbers in groups.values():
            calls = stages.planned_calls(attempt, tuple(again[number] for number in numbers))
            with nullcontext() if card is None else card.gate.acquire_shared():
                report = calling.run(replace(calling.plan, calls=calls)).report
            found.returned.update({numbers[at]: one for at, one in report.returned.items()})
        return found, again

    def _judge_calls(
        self,
        attempt: EvaluationState,
        called: CallResults,
        calling: CallRunner,
        card: GpuSlot | None,
    ) -> Outcome:
        planned = calling.planned
        rung: Rung = "interpreter" if self.settings.device == "interpreter" else "cuda"
        if any(called.has_answer(n) for n, slot in enumerate(planned) if not slot.ablate):
            refused = self._check_kernel_evidence(attempt, called, calling, card, rung)
            if refused is not None:
                return refused
        if self.settings.stage is Stage.CALL:
            return failed_calls(called, planned) or Reached(stage=Stage.CALL)
        attempt.stage = Stage.EXE
        return judge_cases(attempt, called, planned, rung)

    def _check_kernel_evidence(
        self,
        attempt: EvaluationState,
        called: CallResults,
        calling: CallRunner,
        card: GpuSlot | None,
        rung: Rung,
    ) -> Outcome | None:
        """Checked wherever there are answers: breaking some calls on purpose gains nothing."""
        report, planned = called.report, calling.planned
        kernel_evidence.note_flags(attempt, report)
        refused = kernel_evidence.judge_trace(attempt, called, planned)
        refused = refused or kernel_evidence.judge_bodies(attempt)
        refused = refused or kernel_evidence.judge_ablation(attempt, report, planned, rung)
        if refused is None and kernel_evidence.raised_without_kernels(report, planned):
            return kernel_evidence.judge_ablation(
                attempt, *self._call_with_poison(attempt, calling, card), rung
            )
        return refused
