"""Jobs: a submission, the key of what is judged, and the row that shows the verdict."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Protocol

from kernelbenchx.catalog.digests import evaluation_digest
from kernelbenchx.core.environment import Environment
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.record import to_json
from kernelbenchx.core.settings import OURS, Settings
from kernelbenchx.core.submission import HANDED_IN, Submission
from kernelbenchx.core.time_limit import spell_rule
from kernelbenchx.evaluate.gpu_lock import PARKED
from kernelbenchx.evaluate.run_sizes import require_sizes
from kernelbenchx.evaluate.slot_scheduler import Turn
from kernelbenchx.store.database import Database

if TYPE_CHECKING:
    from kernelbenchx.evaluate.gpu_slots import GpuSlots


class SubmissionJudge(Protocol):
    """Judges one submission at a time per thread."""

    @property
    def settings(self) -> Settings: ...

    @property
    def gpu_slots(self) -> "GpuSlots | None": ...

    def evaluate(self, submission: Submission, turn: Turn | None = None, /) -> Evaluation: ...

    def stop(self) -> None:
        """End everything that runs."""


@dataclass(frozen=True)
class EvaluationJob:
    """A submission and the key of its content: jobs with equal keys are judged once."""

    key: str
    submission: Submission

    @cached_property
    def row(self) -> str:
        """Names the row of this submission: its content, its name, and its author."""
        one, origin = self.submission, self.submission.origin
        author = (origin.method, origin.model, origin.round, str(origin.sample), origin.step)
        return hashlib.sha256("\0".join((self.key, one.name, *author)).encode()).hexdigest()


def jobs_for(
    submissions: Iterable[Submission], settings: Settings, environment: Environment
) -> list[EvaluationJob]:
    """One job per submission; the same content with the same name and author is one job."""
    jobs: dict[str, EvaluationJob] = {}
    for submission in submissions:
        require_sizes(settings, submission.task)
        job = EvaluationJob(_key(submission, settings, environment), submission)
        jobs.setdefault(job.row, job)
    return list(jobs.values())


def _key(submission: Submission, settings: Settings, environment: Environment) -> str:
    """Content, task, settings and machine: what an evaluation depends on, seeds apart.

    Neither the name nor the author is part of it.
    """
    parts = (
        submission.digest,
        submission.task,
        submission.language,
        evaluation_digest(submission.task),
        settings.device,
        settings.stage.value,
        settings.target,
        str(settings.checks),
        settings.isolation,
        f"{spell_rule(settings.time_limit_s)} {settings.compile_time_limit_s}"
        f" {settings.memory_bytes}",
        _encode_environment(environment),
        *(settings.baselines if settings.stage is Stage.PERF else ()),
        *_other_sizes(settings),
        *_mark_remeasured(submission, settings),
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _other_sizes(settings: Settings) -> tuple[str, ...]:
    """Empty for the sizes of the task, whose digest is in the key."""
    other = settings.stage is Stage.PERF and settings.sizes != OURS
    return (f"sizes {settings.sizes}",) if other else ()


@cache
def _encode_environment(environment: Environment) -> str:
    return to_json(environment).decode()


def _mark_remeasured(submission: Submission, settings: Settings) -> tuple[str, ...]:
    """Mark what a method submits at its end: it is timed again, since its first time chose it."""
    again = settings.stage is Stage.PERF and submission.origin.step == HANDED_IN
    return ("measured again",) if again else ()


def count_threads(judge: SubmissionJudge) -> int:
    """Threads for the submissions that work at once; with timing also for those that wait for a
    GPU."""
    return count_concurrent(
        judge.settings, 0 if judge.gpu_slots is None else len(judge.gpu_slots.slots)
    )


def count_concurrent(settings: Settings, cards: int) -> int:
    """Submissions in work at once on so many GPUs."""
    jobs = max(1, settings.jobs)
    return jobs + PARKED * cards if settings.stage is Stage.PERF else jobs


def require_all(database: Database, jobs: Sequence[EvaluationJob]) -> list[Evaluation]:
    """The evaluations of all jobs; a missing one is a fault of the evaluator."""
    evaluations = database.read(job.row for job in jobs)
    if len(evaluations) != len(jobs):
        raise EvaluatorFault(f"{len(jobs) - len(evaluations)} evaluations were not stored")
    return evaluations


def order_by_compile_time(jobs: Sequence[EvaluationJob]) -> list[str]:
    """Tasks in the order in which they are likely to be timed: short sources compile sooner."""
    ordered = sorted(jobs, key=lambda job: len(job.submission.source))
    return list(dict.fromkeys(job.submission.task for job in ordered))
