"""One run from end to end: settings resolved, workers warm, results stored."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

import msgspec

from kernelbenchx.catalog.statement import statement
from kernelbenchx.core import seeds
from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Reason, Stage
from kernelbenchx.core.performance import Compiled
from kernelbenchx.core.record import to_json
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.trial import Trial
from kernelbenchx.evaluate.batch import (
    Evaluator,
    Job,
    jobs_for,
    require_all,
    run_jobs,
    threads_for,
)
from kernelbenchx.evaluate.checking import Ground, SourceChecks
from kernelbenchx.evaluate.machine import environment, has_card, torch_sees_card
from kernelbenchx.evaluate.parents import needed, warm_parents
from kernelbenchx.runner.isolation import choose
from kernelbenchx.runner.levels import Isolation
from kernelbenchx.runner.toolchain import require_tested_triton, target_names
from kernelbenchx.store.database import Database, writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.worker.collector import loading

if TYPE_CHECKING:
    from kernelbenchx.evaluate.cards import Cards
    from kernelbenchx.evaluate.pipeline import Pipeline


class Listener(Protocol):
    """Somebody who wants to see what happens to submissions."""

    def stage(self, submission: str, stage: str) -> None:
        """What happens to a submission now; called from several threads.

        `queued`, `checking`, `compiling`, `calling`, `judging`, `preparing`, `waiting`, `timing`.
        """


class Watcher(Listener, Protocol):
    """Somebody who wants to see how far a run is."""

    def begin(self, total: int, finished: int) -> None: ...

    def done(self, evaluation: Evaluation) -> None: ...


def resolved(wanted: Settings) -> Settings:
    """The device and level decided; what this machine cannot do is said in one line."""
    require_tested_triton()
    if wanted.target not in target_names():
        named = ", ".join(target_names())
        raise BadInput(f"no target is called {wanted.target!r}: one of {named}")
    if wanted.stage is Stage.PERF and wanted.device == "interpreter":
        raise BadInput("times need a card, and the interpreter is none; try --stage exe")
    if wanted.device == "interpreter":
        return wanted
    here = has_card()
    if wanted.stage is Stage.PERF and not here:
        raise BadInput("times need a card: torch sees no CUDA device here; try --stage exe")
    if wanted.device == "cuda" and not here:
        raise BadInput("--device cuda: torch sees no CUDA device here; try --device interpreter")
    return msgspec.structs.replace(wanted, device="cuda" if here else "interpreter")


class Session:
    """An open run; workers are started when the first submission needs them."""

    def __init__(self, settings: Settings, out: Path) -> None:
        self._settings = settings
        self._out = out
        self._stack = ExitStack()
        self._database: Database
        self._seed = 0
        self._listener: Listener | None = None
        self._opening = threading.Lock()
        self._expected: list[str] = []
        self._some_will_run = settings.stage is not Stage.CHECK
        self._closed = False
        self.compiled: list[Compiled] = []
        """What compiling references took, where they were."""

    def __enter__(self) -> "Session":
        with self._stack as stack:
            self._database = stack.enter_context(writing(RunFolder(self._out)))
            self._seed = self._seed_of_the_run()
            self._stack = stack.pop_all()
        return self

    def _seed_of_the_run(self) -> int:
        """Drawn once: a run that goes on has the inputs it began with."""
        kept, wanted = self._database.noted("seed"), self._settings.seed
        if kept and wanted and int(kept) != wanted:
            raise BadInput(f"the run {self._out} was begun with another seed")
        seed = int(kept) if kept else wanted or seeds.fresh()
        self._database.note("seed", str(seed))
        return seed

    @cached_property
    def _evaluator(self) -> Evaluator:
        """All stages, or where sources alone are looked at, what needs neither torch nor worker."""
        if self._settings.stage is not Stage.CHECK:
            return self.pipeline
        machine = environment(self._settings.device)
        ground = Ground(self._settings, self._seed, machine, self._isolation)
        return SourceChecks(ground, self._tell)

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
            raise BadInput("there is a card, but this torch cannot use it: is the driver too old?")
        # Several submissions are judged at once; threads inside each would only spin.
        torch.set_num_threads(1)
        workers = Workers(zygotes, self._settings, isolation)
        timing, cards = Timing(workers), self._cards()
        # Whoever used a card takes a while to end: all of them at once.
        ending = threading.Thread(target=cards.close if cards is not None else None)
        for step in (ending.join, timing.close, ending.start):  # the last is the first
            self._stack.callback(step)
        machine = environment(self._settings.device)
        ahead = Ahead(workers)
        return Pipeline(workers, self._seed, machine, self._tell, cards, timing, ahead)

    def _cards(self) -> "Cards | None":
        if self._settings.device != "cuda":
            return None
        from kernelbenchx.evaluate.cards import Cards

        return Cards.of(self._settings, self._seed)

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

    def evaluate(self, submissions: list[Submission], watcher: Watcher) -> list[Evaluation]:
        """All of them, in order; those finished in this run before are read, not run."""
        jobs = jobs_for(submissions, self._settings, environment(self._settings.device))
        self._state({job.submission.task for job in jobs})
        self._listener = watcher
        finished = self._database.finished()
        watcher.begin(len(jobs), sum(job.key in finished for job in jobs))

        def done(_job: Job, evaluation: Evaluation) -> None:
            watcher.done(evaluation)

        waiting = [job for job in jobs if job.key not in finished]
        if waiting:
            self._some_will_run = needed(self._settings, [job.submission for job in waiting])
            cards = self._evaluator.cards
            if cards is not None and self._settings.stage is Stage.PERF:
                cards.start(_soonest(waiting))
            run_jobs(self._evaluator, self._database, jobs, done)
            self.compiled = [] if cards is None else cards.compiled()
        return require_all(self._database, jobs)

    def expect(self, tasks: Sequence[str], listener: Listener) -> None:
        """Submissions will come one by one, for these tasks."""
        self._state(tasks)
        self._listener, self._expected = listener, list(tasks)

    def one(self, submission: Submission) -> Evaluation:
        """One that may depend on what became of others; called from many threads.

        As it was stored, also if it is void or its times cannot be trusted: what was written
        afterwards rests on it.
        """
        (job,) = jobs_for([submission], self._settings, environment(self._settings.device))
        if not self._database.read([job.key]):
            self._tell(submission.name, "queued")
            with self._turn() as evaluator:
                evaluation = evaluator.evaluate(submission)
            if self._closed:  # then its workers were ended, and what it says is our doing
                raise EvaluatorFault("the run was closed meanwhile")
            self._database.append(job.key, evaluation, submission.source)
        return require_all(self._database, [job])[0]

    def for_feedback(self, submission: Submission) -> Evaluation:
        """The same submission on other calls: what its author may learn from.

        Told about the calls of the verdict, an author could fit them. Kept and given again as
        `one` is. Where no call was made, the verdict says the same.
        """
        verdict = self.one(submission)
        if not _rests_on_calls(verdict):
            return verdict
        (job,) = jobs_for([submission], self._settings, environment(self._settings.device))
        if (kept := self._database.feedback(job.key)) is not None:
            return kept
        with self._turn():
            evaluation = self._on_other_calls.evaluate(submission)
        if self._closed:
            raise EvaluatorFault("the run was closed meanwhile")
        self._database.keep_feedback(job.key, evaluation)
        return self._database.feedback(job.key) or evaluation

    @property
    def _on_other_calls(self) -> "Pipeline":
        """The stages with a seed of their own, over the same workers and cards."""
        return replace(self.pipeline, seed=seeds.derived(self._seed, "feedback"))

    def try_out(self, task: str, source: str, test: str, *, wall_s: float) -> Trial:
        """A kernel under its author's own test; called from many threads, kept nowhere."""
        with self._opening:
            pipeline = self.pipeline
        with self._turn():
            from kernelbenchx.evaluate.own_tests import OwnTest, try_out

            return try_out(pipeline, OwnTest(task, source, test), wall_s)

    @contextmanager
    def _turn(self) -> Iterator[Evaluator]:
        """The stages, for as many at once as a batch would have."""
        with self._opening:
            evaluator, turns = self._evaluator, self._turns
        with turns:
            yield evaluator

    @cached_property
    def _turns(self) -> threading.Semaphore:
        cards = self._evaluator.cards
        if cards is not None and self._settings.stage is Stage.PERF:
            cards.start(self._expected)
        return threading.Semaphore(threads_for(self._evaluator))

    def _state(self, tasks: Iterable[str]) -> None:
        self._database.keep_statements((name, to_json(statement(name)).decode()) for name in tasks)


def _rests_on_calls(verdict: Evaluation) -> bool:
    """Not where the source was refused or could not be imported: that is so with any seed."""
    outcome = verdict.outcome
    unloaded = isinstance(outcome, Broken) and outcome.reason is Reason.LOAD_ERROR
    return verdict.ran and not unloaded


def _soonest(jobs: list[Job]) -> list[str]:
    """Tasks in the order in which they are likely to be timed: short sources compile sooner."""
    ordered = sorted(jobs, key=lambda job: len(job.submission.source))
    return list(dict.fromkeys(job.submission.task for job in ordered))
