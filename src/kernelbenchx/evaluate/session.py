"""One run from start to end: resolves settings, warms workers, stores results."""

import threading
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from kernelbenchx import catalog
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core import seeds
from kernelbenchx.core.environment import Environment
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.performance import ReferenceCompilation
from kernelbenchx.core.record import to_json
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.trial import Trial
from kernelbenchx.evaluate.checking import EvaluationProvenance, SourceChecks
from kernelbenchx.evaluate.engine import Engine, EngineRun, RemoteJudge
from kernelbenchx.evaluate.evaluation_job import (
    EvaluationJob,
    SubmissionJudge,
    count_threads,
    jobs_for,
    order_by_compile_time,
    require_all,
)
from kernelbenchx.evaluate.growing_pool import GrowingPool
from kernelbenchx.evaluate.imported_problems import select_preparable
from kernelbenchx.evaluate.machine import environment
from kernelbenchx.evaluate.pipeline_setup import open_pipeline
from kernelbenchx.evaluate.run_listener import RunListener
from kernelbenchx.evaluate.run_rules import RunRules
from kernelbenchx.evaluate.run_seed import keep_seed
from kernelbenchx.evaluate.run_sizes import keep_sizes
from kernelbenchx.evaluate.same_content import RecentEvaluations, SameContent, copy_for
from kernelbenchx.evaluate.settings_resolution import resolve_settings
from kernelbenchx.evaluate.slot_scheduler import SlotScheduler
from kernelbenchx.evaluate.watcher import Listener, Watcher
from kernelbenchx.evaluate.zygotes import needs_workers
from kernelbenchx.runner.isolation import Level, choose
from kernelbenchx.store.database import Database, in_memory, writing
from kernelbenchx.store.layout import RunFolder

if TYPE_CHECKING:
    from kernelbenchx.evaluate.pipeline import Pipeline


__all__ = ["RunSession", "resolve_settings"]


class RunSession:
    """An open run; workers are started when the first submission needs them."""

    def __init__(
        self, settings: ResolvedSettings, out: Path | None = None, engine: Engine | None = None
    ) -> None:
        """Without a folder nothing stays on disk. Without an engine this machine judges."""
        self._settings = settings
        self._engine = engine
        self._out = out
        self._stack = ExitStack()
        self._seed = 0
        self._listener = RunListener()
        self._opening = threading.RLock()
        self._expected: list[str] = []
        self._some_will_run = settings.stage is not Stage.CHECK
        self._closed = False
        self._stated: set[str] = set()
        self.rules = RunRules(self, settings, lambda end: self._stack.callback(end))
        self.pool: GrowingPool | None = None
        """The pool in which submissions wait for a thread; set before the first one comes."""

    def __enter__(self) -> "RunSession":
        with self._stack as stack:
            kept = in_memory() if self._out is None else writing(RunFolder(self._out))
            self._database = stack.enter_context(kept)
            self._seed = keep_seed(self._database, self._settings.seed, self._out)
            keep_sizes(self._database, self._settings, self._out)
            self._same = SameContent(self._database)
            self._recent = RecentEvaluations()
            self._stack = stack.pop_all()
        return self

    @cached_property
    def _judge(self) -> SubmissionJudge:
        """All stages; if only sources are checked, a judge without torch and workers."""
        if self.remote is not None:
            return self.remote
        if self._settings.stage is not Stage.CHECK:
            return self.pipeline
        return SourceChecks(self.provenance, self._listener.tell)

    @cached_property
    def remote(self) -> RemoteJudge | None:
        """The machines that judge, if it is not this one; the first use waits for one."""
        if self._engine is None or self._settings.stage is Stage.CHECK:
            return None
        known = (self._settings, self._seed, self._database)
        judge = self._engine.open(EngineRun(*known, self._listener))
        self._stack.callback(judge.close)
        return judge

    @cached_property
    def provenance(self) -> EvaluationProvenance:
        """What verdicts of this run rest on."""
        with self._opening:
            if self.remote is not None:
                return self.remote.provenance
        wanted = self._settings.isolation
        isolation = choose(None if wanted == "auto" else wanted)
        if wanted == "auto" and isolation.level < Level.L3:
            self._listener.note(f"isolation {isolation}")
        return EvaluationProvenance(self._settings, self._seed, self._environment, isolation)

    @cached_property
    def _environment(self) -> Environment:
        """Versions are equal on all machines; only machines with a GPU know it."""
        if self._engine is not None and self._settings.device == "cuda":
            return self.provenance.environment
        return environment(self._settings.device)

    @cached_property
    def pipeline(self) -> "Pipeline":
        """The stages over warm workers here; the first use loads torch and starts them."""
        known = (self.provenance, self._listener, self._database, str(self._out or ""))
        return self._stack.enter_context(open_pipeline(*known, start=self._some_will_run))

    @property
    def database(self) -> Database:
        """The database of the run; thread-safe."""
        return self._database

    @property
    def seed(self) -> int:
        """The seed of the run, secret until it is over."""
        return self._seed

    def __exit__(self, *_: object) -> None:
        self._closed = True
        self._stack.close()

    def begin(
        self, jobs: Sequence[EvaluationJob], watcher: Watcher | None = None
    ) -> list[EvaluationJob]:
        """Prepare for a batch, without duplicates; return the jobs that are not finished."""
        self._listener.set(watcher)
        waiting = [job for job in jobs if not self.rules.are_finished(job.row)]
        if watcher is not None:
            watcher.begin(len(jobs), len(jobs) - len(waiting))
        unknown = [job for job in waiting if self._database.judged_before(job.key) is None]
        if not unknown:
            return waiting
        with self._opening:
            opened = "_turns" in self.__dict__
            self._expected = order_by_compile_time(unknown)
            if not opened:
                self._some_will_run = needs_workers(
                    self._settings, [job.submission for job in unknown]
                )
            _ = self._turns
        if opened:
            self._start_gpus()
        return waiting

    def judge(self, job: EvaluationJob) -> Evaluation:
        """The verdict that the run holds, or a new one; called from many threads. A void one, or
        times that cannot be trusted, do not count: these are retried."""
        if self._out is None:
            if (known := self._recent.find(job.key)) is not None:
                return copy_for(job.submission, known)
            found = self.rules.complete(job, self._same.judge(job, self._evaluate, keep=False))
            self._recent.add(job.key, found)
            return found
        if not self._database.is_finished(job.row):
            self._same.judge(job, self._evaluate)
        return self.rules.complete(job, require_all(self._database, [job])[0])

    def share(self, job: EvaluationJob, evaluation: Evaluation) -> Evaluation:
        """Share the verdict on an equal source with this job."""
        found = self._same.share(job, evaluation, keep=self._out is not None)
        return self.rules.keep(job.row, found)

    def job_for(self, submission: Submission) -> EvaluationJob:
        """The submission with its key in this run."""
        self.store_statements([submission.task])
        return jobs_for([submission], self._settings, self._environment)[0]

    def stop(self) -> None:
        """End what runs; its verdicts are not kept."""
        self._closed = True
        if self._engine is not None:  # a thread may wait there for the first node
            self._engine.close()
        with self._opening:
            if "_judge" in self.__dict__:
                self._judge.stop()

    def expect(self, tasks: Sequence[str], listener: Listener) -> None:
        """Submissions will come one by one, for these tasks."""
        self.store_statements(tasks)
        self._expected = list(tasks)
        self._listener.set(listener)

    def one(self, submission: Submission) -> Evaluation:
        """Judge one job that may depend on the results of others; called from many threads.

        Returned as stored, also if void or without trusted times: later programs rest on it.
        """
        job = self.job_for(submission)
        if not self._database.read([job.row]):
            self._listener.tell(submission.name, "queued")
            self._same.judge(job, self._evaluate)
        return require_all(self._database, [job])[0]

    def _evaluate(self, submission: Submission) -> Evaluation:
        judge, turns = self.open_judge()
        evaluation = turns.run(partial(judge.evaluate, submission))
        self.refuse_closed()
        if catalog.find_published(submission.task):
            self._stated.discard(submission.task)  # its audit is known by now
        self.store_statements([submission.task])
        return evaluation

    def for_feedback(self, submission: Submission) -> Evaluation:
        """Judge the same submission on other calls: its author may learn from them, and cannot fit
        the run's.

        Stored and returned again like `one`. If no call was made, the verdict says the same.
        """
        verdict = self.one(submission)
        if not verdict.rests_on_calls:
            return verdict
        return self._same.judge_for_feedback(
            self.job_for(submission), self._evaluate_on_other_calls
        )

    def _evaluate_on_other_calls(self, submission: Submission) -> Evaluation:
        _, turns = self.open_judge()
        seed, remote = seeds.derive_seed(self._seed, "feedback"), self.remote
        other = remote.with_seed(seed) if remote else replace(self.pipeline, seed=seed)
        evaluation = turns.run(partial(other.evaluate, submission))
        self.refuse_closed()
        return evaluation

    def try_out(self, task: str, source: str, test: str, *, wall_s: float) -> Trial:
        """Run a kernel under its author's own test; called from many threads, stored nowhere."""
        from kernelbenchx.evaluate.own_tests import OwnTest, try_out

        _, turns = self.open_judge()
        wanted, remote = OwnTest(task, source, test), self.remote
        if remote is not None:
            return turns.run(lambda _: remote.try_out(wanted, wall_s))
        return turns.run(lambda _: try_out(self.pipeline, wanted, wall_s))

    def open_judge(self) -> tuple[SubmissionJudge, SlotScheduler]:
        """The stages, and turns for as many submissions at once as a batch would have."""
        with self._opening:
            return self._judge, self._turns

    @cached_property
    def _turns(self) -> SlotScheduler:
        self._start_gpus()
        turns = SlotScheduler(count_threads(self._judge), self.pool)
        if self.pool is not None:
            self.pool.on_wait = turns.make_room
        if self.remote is not None:
            self.remote.watch_slots(partial(self._resize, turns))
        return turns

    def _resize(self, turns: SlotScheduler, slots: int) -> None:
        turns.resize(slots)
        if self.pool is not None:
            self.pool.resize(slots)

    @property
    def concurrency(self) -> int:
        """How many submissions are judged at once, now."""
        return self.open_judge()[1].count

    def _start_gpus(self) -> None:
        if self._settings.stage is not Stage.PERF:
            return
        tasks = select_preparable(self._expected)
        if self.remote is not None:
            self.remote.expect(tasks)
        elif self._judge.gpu_slots is not None:
            self._judge.gpu_slots.start(tasks)

    def refuse_closed(self) -> None:
        """Raise after closing: the workers were ended, so a verdict would be a fault of kbx."""
        if self._closed:
            raise EvaluatorFault("the run was closed in the meantime")

    @property
    def compiled(self) -> list[ReferenceCompilation]:
        """What compiling the references took."""
        if "_judge" not in self.__dict__:
            return []
        if self.remote is not None:
            return self.remote.list_compilations()
        cards = self._judge.gpu_slots
        return [] if cards is None else cards.list_compilations()

    def store_statements(self, tasks: Iterable[str]) -> None:
        """Store the statements of these tasks, in one transaction."""
        if fresh := set(tasks) - self._stated:
            self._database.keep_statements((n, to_json(statement(n)).decode()) for n in fresh)
            self._stated |= fresh
