"""Jobs: a submission, and the key under which its evaluation is kept."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from kernelbenchx.catalog.digests import evaluation_digest
from kernelbenchx.core.environment import Environment
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.record import to_json
from kernelbenchx.core.settings import OURS, Settings
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.evaluate.gate import PARKED
from kernelbenchx.evaluate.run_sizes import require_sizes
from kernelbenchx.store.database import Database

if TYPE_CHECKING:
    from kernelbenchx.evaluate.cards import Cards


class SubmissionJudge(Protocol):
    """Judges one submission at a time per thread."""

    @property
    def settings(self) -> Settings: ...

    @property
    def cards(self) -> "Cards | None": ...

    def evaluate(self, submission: Submission) -> Evaluation: ...

    def stop(self) -> None:
        """End everything that runs."""


@dataclass(frozen=True)
class Job:
    """A submission and the key under which its evaluation is kept."""

    key: str
    submission: Submission


def jobs_for(
    submissions: Iterable[Submission], settings: Settings, environment: Environment
) -> list[Job]:
    """One job per submission; the same content under the same name is one job."""
    jobs: dict[str, Job] = {}
    for submission in submissions:
        require_sizes(settings, submission.task)
        key = _key(submission, settings, environment)
        jobs.setdefault(key, Job(key, submission))
    return list(jobs.values())


def _key(submission: Submission, settings: Settings, environment: Environment) -> str:
    """Content, task, settings and machine: what an evaluation depends on, seeds apart."""
    parts = (
        submission.name,
        submission.digest,
        submission.task,
        submission.language,
        evaluation_digest(submission.task),
        settings.device,
        settings.stage.value,
        settings.target,
        str(settings.checks),
        settings.isolation,
        f"{settings.time_limit_s} {settings.compile_time_limit_s} {settings.memory_bytes}",
        _spelled(environment),
        *(settings.baselines if settings.stage is Stage.PERF else ()),
        *_other_sizes(settings),
        *_place(submission.origin),
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _other_sizes(settings: Settings) -> tuple[str, ...]:
    """Nothing where sizes are those of the task, whose digest is in the key."""
    other = settings.stage is Stage.PERF and settings.sizes != OURS
    return (f"sizes {settings.sizes}",) if other else ()


@cache
def _spelled(environment: Environment) -> str:
    return to_json(environment).decode()


def _place(origin: Origin) -> tuple[str, ...]:
    """Of what a method asked for, also whose and where: two models may write the same."""
    if not origin.step:
        return ()
    return (origin.method, origin.model, origin.round, str(origin.sample), origin.step)


def threads_for(judge: SubmissionJudge) -> int:
    """As many as work at once; where times are taken, also those that wait for a card."""
    return most_at_once(judge.settings, 0 if judge.cards is None else len(judge.cards.slots))


def most_at_once(settings: Settings, cards: int) -> int:
    """Submissions in work at once on so many cards."""
    jobs = max(1, settings.jobs)
    return jobs + PARKED * cards if settings.stage is Stage.PERF else jobs


def require_all(database: Database, jobs: Sequence[Job]) -> list[Evaluation]:
    """The evaluations of all jobs; one that is missing is a fault of ours."""
    evaluations = database.read(job.key for job in jobs)
    if len(evaluations) != len(jobs):
        raise EvaluatorFault(f"{len(jobs) - len(evaluations)} evaluations were not stored")
    return evaluations


def soonest(jobs: Sequence[Job]) -> list[str]:
    """Tasks in the order in which they are likely to be timed: short sources compile sooner."""
    ordered = sorted(jobs, key=lambda job: len(job.submission.source))
    return list(dict.fromkeys(job.submission.task for job in ordered))
