"""The first stage, which reads sources only: no torch, no worker, nothing runs."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from kernelbenchx.catalog import without_seed
from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.checker_process import check_bounded
from kernelbenchx.checks.languages import language_of
from kernelbenchx.core.environment import Environment
from kernelbenchx.core.environment import Isolation as IsolationRecord
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Composition, Outcome, Reached, Reason, Rejected, Stage, Void
from kernelbenchx.core.settings import OURS, ResolvedSettings, Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries, expectation_of
from kernelbenchx.evaluate.slot_scheduler import Turn
from kernelbenchx.runner.levels import WorkerIsolation


@dataclass(frozen=True)
class EvaluationProvenance:
    """What an evaluation rests on besides the submission."""

    settings: ResolvedSettings
    seed: int
    environment: Environment
    isolation: WorkerIsolation


def check_source(attempt: EvaluationState, settings: Settings) -> Outcome | None:
    """Check language and static rules; an outcome ends the evaluation, None continues it."""
    language = language_of(attempt.submission.source, attempt.submission.language)
    if language not in attempt.facts.languages:
        return void_unsupported(f"the task takes no submission in {language}")
    report = check_bounded(attempt.submission.source, expectation_of(attempt.facts, language))
    attempt.composition, attempt.binding = report.composition, report.binding
    if report.entry:  # the entry that the binding is for
        attempt.entries = tuple(dict.fromkeys((report.entry, *attempt.entries)))
    fatal = tuple(finding for finding in report.findings if finding.fatal)
    if fatal and settings.checks:
        return Rejected(findings=fatal)
    if settings.checks:
        attempt.source = report.runs or attempt.source
    attempt.findings += [finding for finding in report.findings if not finding.fatal]
    if not settings.checks:
        attempt.composition = Composition.PURE  # then only what ran counts
    attempt.by_source = attempt.composition
    return None


def void_unsupported(detail: str) -> Void:
    """Build a void outcome for what cannot be supported; another try would not help."""
    return Void(reason=Reason.UNSUPPORTED, detail=detail)


def void_by_fault(error: Exception) -> Void:
    """Build a void outcome for a fault of the evaluator, never of the submission."""
    return Void(reason=Reason.EVALUATOR, detail=f"{type(error).__name__}: {error}"[:1000])


def build_evaluation(
    attempt: EvaluationState, outcome: Outcome, ground: EvaluationProvenance, seconds: float
) -> Evaluation:
    """Build the record of an evaluation that has its outcome."""
    settings, isolation = ground.settings, ground.isolation
    return Evaluation(
        submission=attempt.submission.name,
        task=without_seed(attempt.submission.task),
        digest=attempt.submission.digest,
        origin=attempt.submission.origin,
        outcome=outcome,
        composition=attempt.composition,
        stage=attempt.stage,
        provisional=settings.device == "interpreter",
        device=settings.device,
        language=attempt.submission.language,
        isolation=IsolationRecord(level=isolation.level.value, missing=isolation.missing),
        checks=settings.checks,
        seed=ground.seed,
        seconds=round(seconds, 3),
        environment=ground.environment,
        sizes=settings.sizes if settings.stage is Stage.PERF else OURS,
        findings=tuple(attempt.findings),
        flags=tuple(dict.fromkeys(attempt.flags)),
        kernels=tuple(attempt.kernels),
        kernel_share=attempt.kernel_share,
        by_torch=attempt.by_torch,
        cases=attempt.cases,
        first_dtype=attempt.first_dtype,
        weights=attempt.weights,
        main_cause=attempt.main_cause,
        pattern=attempt.pattern,
        performance=attempt.performance,
        core_performance=attempt.core_performance,
        basic_performance=attempt.basic_performance,
    )


@dataclass(frozen=True)
class SourceChecks:
    """Evaluates submissions by their sources only."""

    provenance: EvaluationProvenance
    tell: Callable[[str, str], None]
    gpu_slots: None = None

    @property
    def settings(self) -> Settings:
        """As resolved for the run."""
        return self.provenance.settings

    def evaluate(self, submission: Submission, _turn: Turn | None = None) -> Evaluation:
        """Evaluate one submission; too quick to ever give way to others."""
        started, known = time.monotonic(), facts(submission.task)
        attempt = EvaluationState(submission, known, accepted_entries(known))
        self.tell(submission.name, "checking")
        try:
            outcome = check_source(attempt, self.settings) or Reached(stage=Stage.CHECK)
        except Exception as error:  # noqa: BLE001 - a border, as in the whole pipeline
            outcome = void_by_fault(error)
        return build_evaluation(attempt, outcome, self.provenance, time.monotonic() - started)

    def stop(self) -> None:
        """Nothing runs, so there is nothing to stop."""
