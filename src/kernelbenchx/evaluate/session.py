"""One run from end to end: settings resolved, workers warm, results stored."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from kernelbenchx import catalog
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core import seeds
from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.performance import Compiled
from kernelbenchx.core.record import to_json
from kernelbenchx.core.settings import ResolvedSettings, Settings, resolve_for
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.trial import Trial
from kernelbenchx.evaluate.batch import (
    Job,
    SubmissionJudge,
    jobs_for,
    require_all,
    soonest,
    threads_for,
)
from kernelbenchx.evaluate.checking import Ground, SourceChecks
from kernelbenchx.evaluate.imported_problems import prepared_tasks, problem_sandbox
from kernelbenchx.evaluate.machine import environment, has_card, torch_sees_card
from kernelbenchx.evaluate.parents import needed, warm_parents
from kernelbenchx.evaluate.run_seed import keep_seed
from kernelbenchx.evaluate.run_sizes import keep_sizes
from kernelbenchx.evaluate.watcher import Listener, Watcher
from kernelbenchx.runner.isolation import choose
from kernelbenchx.runner.levels import Isolation
from kernelbenchx.runner.toolchain import require_tested_triton, target_names
from kernelbenchx.store.database import Database, in_memory, writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.worker.collector import loading

if TYPE_CHECKING:
    from kernelbenchx.evaluate.cards import Cards
    from kernelbenchx.evaluate.pipeline import Pipeline


def resolved(wanted: Settings) -> ResolvedSettings:
    """The device and level decided; what this machine cannot do is said in one line."""
    if wanted.stage is not Stage.CHECK:
        require_tested_triton()
    if wanted.target not in target_names():
        named = ", ".join(target_names())
        raise BadInput(f"unknown target {wanted.target!r}; choose one of {named}")
    if wanted.stage is Stage.PERF and wanted.device == "interpreter":
        raise BadInput("--stage perf needs a CUDA GPU; the interpreter cannot time kernels")
    if wanted.device == "interpreter":
        return resolve_for(wanted, "interpreter")
    here = has_card()
    if wanted.stage is Stage.PERF and not here:
        raise BadInput("--stage perf needs a CUDA GPU, and torch finds none; try --stage exe")
    if wanted.device == "cuda" and not here:
        raise BadInput("--device cuda: torch finds no CUDA GPU; try --device interpreter")
    return resolve_for(wanted, "cuda" if here else "interpreter")


class Session:
    """An open run; workers are started when the first submission needs them."""

    def __init__(self, settings: ResolvedSettings, out: Path | None = None) -> None:
        """Without a folder nothing is left on disk, and verdicts are not kept."""
        self._settings = settings
        self._out = out
        self._stack = ExitStack()
        self._seed = 0
        self._listener: Listener | None = None
        self._opening = threading.Lock()
        self._expected: list[str] = []
        self._some_will_run = settings.stage is not Stage.CHECK
        self._closed = False
        self._stated: set[str] = set()

    def __enter__(self) -> "Session":
        with self._stack as stack:
            kept = in_memory() if self._out is None else writing(RunFolder(self._out))
            self._database = stack.enter_context(kept)
            self._seed = keep_seed(self._database, self._settings.seed, self._out)
            keep_sizes(self._database, self._settings, self._out)
            self._stack = stack.pop_all()
        return self

    @cached_property
    def _judge(self) -> SubmissionJudge:
        """All stages, or where sources alone are looked at, what needs neither torch nor worker."""
        if self._settings.stage is not Stage.CHECK:
            return self.pipeline
        return SourceChecks(self.ground, self._tell)

    @cached_property
    def ground(self) -> Ground:
        """What verdicts of this run rest on."""
        machine = environment(self._settings.device)
        return Ground(self._settings, self._seed, machine, self._isolation)

    @cached_property
    def _isolation(self) -> Isolation:
        wanted = self._settings.isolation
        return choose(None if wanted == "auto" else wanted)

    @cached_property
    def pipeline(self) -> "Pipeline":
        """The stages over warm workers; the first use loads torch and starts them."""
        isolation = self._isolation
        zygotes = self._stack.enter_context(warm_parents(self._settings, isolation))
        if self._some_will_run:  # then they load torch while it is loaded here
            for zygote in zygotes.values():
                zygote.start_parent()
        with loading("torch"):
            import torch

            from kernelbenchx.evaluate.ahead import Ahead
            from kernelbenchx.evaluate.pipeline import Pipeline
            from kernelbenchx.evaluate.timing import Timing
            from kernelbenchx.evaluate.workers import Workers

        if self._settings.device == "cuda" and not torch_sees_card():
            raise BadInput("there is a GPU, but this torch cannot use it: is the driver too old?")
        # Several submissions are judged at once; threads inside each would only spin.
        torch.set_num_threads(1)
        workers = Workers(zygotes, self._settings, isolation)
        sandbox = self._stack.enter_context(problem_sandbox(isolation, self._settings.jobs))
        timing, cards = Timing(workers), self._cards()
        # Whoever used a card takes a while to end: all of them at once.
        ending = threading.Thread(target=cards.close if cards is not None else None)
        for step in (ending.join, timing.close, ending.start):  # the last is the first
            self._stack.callback(step)
        known = (workers, self._seed, environment(self._settings.device), self._tell, cards, timing)
        return Pipeline(*known, Ahead(workers), sandbox)

    def _cards(self) -> "Cards | None":
        from kernelbenchx.evaluate.cards import Cards

        return Cards.of(self._settings, self._seed) if self._settings.device == "cuda" else None

    def _tell(self, submission: str, stage: str) -> None:
        if self._listener is not None:
            self._listener.stage(submission, stage)

    @property
    def database(self) -> Database:
        """Where the run is kept; safe from many threads."""
        return self._database

    @property
    def seed(self) -> int:
        """Of the run, secret until it is over."""
        return self._seed

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closed = True
        self._stack.close()

    def begin(self, jobs: Sequence[Job], watcher: Watcher | None = None) -> list[Job]:
        """Get ready for a batch, none of it twice; those of it that are not finished."""
        self._listener = watcher
        waiting = [job for job in jobs if not self._database.is_finished(job.key)]
        if watcher is not None:
            watcher.begin(len(jobs), len(jobs) - len(waiting))
        if not waiting:
            return []
        with self._opening:
            opened = "_turns" in self.__dict__
            self._expected = soonest(waiting)
            if not opened:
                self._some_will_run = needed(self._settings, [job.submission for job in waiting])
            _ = self._turns
        if opened:
            self._start_cards()
        return waiting

    def judge(self, job: Job) -> Evaluation:
        """The verdict that the run holds, or a new one; called from many threads.

        A void verdict and times that cannot be trusted do not count: they are tried again.
        """
        if not self._database.is_finished(job.key):
            evaluation = self._evaluated(job.submission)
            if self._out is None:
                return evaluation
            self._database.append(job.key, evaluation, job.submission.source)
        return require_all(self._database, [job])[0]

    def job_for(self, submission: Submission) -> Job:
        """The submission with its key in this run."""
        self.state([submission.task])
        return jobs_for([submission], self._settings, environment(self._settings.device))[0]

    def stop(self) -> None:
        """End what runs; its verdicts are not kept."""
        self._closed = True
        with self._opening:
            if "_judge" in self.__dict__:
                self._judge.stop()

    def expect(self, tasks: Sequence[str], listener: Listener) -> None:
        """Submissions will come one by one, for these tasks."""
        self.state(tasks)
        self._listener, self._expected = listener, list(tasks)

    def one(self, submission: Submission) -> Evaluation:
        """One that may depend on what became of others; called from many threads.

        As it was stored, also if it is void or its times cannot be trusted: what was written
        afterwards rests on it.
        """
        job = self.job_for(submission)
        if not self._database.read([job.key]):
            self._tell(submission.name, "queued")
            evaluation = self._evaluated(submission)
            self._database.append(job.key, evaluation, submission.source)
        return require_all(self._database, [job])[0]

    def _evaluated(self, submission: Submission) -> Evaluation:
        with self._turn() as judge:
            evaluation = judge.evaluate(submission)
        self._refuse_closed()
        if catalog.find_published(submission.task):
            self._stated.discard(submission.task)  # now its audit is known
        self.state([submission.task])
        return evaluation

    def for_feedback(self, submission: Submission) -> Evaluation:
        """The same submission on other calls: what its author may learn from.

        Told about the calls of the verdict, an author could fit them. Kept and given again as
        `one` is. Where no call was made, the verdict says the same.
        """
        verdict = self.one(submission)
        if not verdict.rests_on_calls:
            return verdict
        job = self.job_for(submission)
        if (kept := self._database.feedback(job.key)) is not None:
            return kept
        with self._turn():
            other = replace(self.pipeline, seed=seeds.derived(self._seed, "feedback"))
            evaluation = other.evaluate(submission)
        self._refuse_closed()
        self._database.keep_feedback(job.key, evaluation)
        return self._database.feedback(job.key) or evaluation

    def try_out(self, task: str, source: str, test: str, *, wall_s: float) -> Trial:
        """A kernel under its author's own test; called from many threads, kept nowhere."""
        with self._opening:
            pipeline = self.pipeline
        with self._turn():
            from kernelbenchx.evaluate.own_tests import OwnTest, try_out

            return try_out(pipeline, OwnTest(task, source, test), wall_s)

    @contextmanager
    def _turn(self) -> Iterator[SubmissionJudge]:
        """The stages, for as many at once as a batch would have."""
        with self._opening:
            judge, turns = self._judge, self._turns
        with turns:
            yield judge

    @cached_property
    def _turns(self) -> threading.Semaphore:
        self._start_cards()
        return threading.Semaphore(threads_for(self._judge))

    def _start_cards(self) -> None:
        cards = self._judge.cards
        if cards is not None and self._settings.stage is Stage.PERF:
            cards.start(prepared_tasks(self._expected))

    def _refuse_closed(self) -> None:
        """Its workers were ended: a verdict would be our doing."""
        if self._closed:
            raise EvaluatorFault("the run was closed in the meantime")

    @property
    def compiled(self) -> list[Compiled]:
        """What compiling references took."""
        cards = self._judge.cards if "_judge" in self.__dict__ else None
        return [] if cards is None else cards.compiled()

    def state(self, tasks: Iterable[str]) -> None:
        """Keep what these tasks say, in one transaction."""
        if fresh := set(tasks) - self._stated:
            self._database.keep_statements((n, to_json(statement(n)).decode()) for n in fresh)
            self._stated |= fresh
