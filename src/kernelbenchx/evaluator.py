"""`Evaluator` and `evaluate`: judge kernels from Python."""

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Unpack

from kernelbenchx.catalog.facts import facts
from kernelbenchx.cluster.engine import LOCAL, EngineChoice, open_engine, resolve
from kernelbenchx.core.arguments import describe_type, require_type
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason, Stage, Void
from kernelbenchx.core.performance import ReferenceCompilation
from kernelbenchx.core.settings import Settings, SettingsOptions, apply_options, require_positive
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.checking import build_evaluation
from kernelbenchx.evaluate.dependencies import require_evaluation_extra
from kernelbenchx.evaluate.evaluation_job import EvaluationJob, count_concurrent
from kernelbenchx.evaluate.evaluation_queue import EvaluationQueue
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.intake import Intake, read_intake
from kernelbenchx.evaluate.run_submissions import is_run, kept_submissions
from kernelbenchx.evaluate.session import RunSession
from kernelbenchx.evaluate.sources import Source, read_source, text_or_path
from kernelbenchx.evaluate.watcher import Watcher
from kernelbenchx.runner.gpus import gpu_count
from kernelbenchx.store.evaluation_lookup import newest
from kernelbenchx.store.generation_note import refuse_generated
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.task_info import TaskInfo

TaskName = str | TaskInfo
"""A task by its name, or as `kernelbenchx.task` gives it."""


def evaluate(
    source: Source,
    *,
    task: TaskName | None = None,
    out: str | os.PathLike[str] | None = None,
    **options: Unpack[SettingsOptions],
) -> Evaluation:
    """Evaluate one kernel: a path, or the text of it. For several, `Evaluator` is faster.

    A `str` of one line is a path. `task` may be left out where the file name says it. `out` names
    a run folder; without it nothing is kept. All other arguments are fields of `Settings`.
    """
    options.setdefault("jobs", 1)
    with Evaluator(out=out, **options) as evaluator:
        return evaluator.evaluate(text_or_path(source), task=task)


def add_paper_rules(
    run: str | os.PathLike[str],
    settings: Settings | None = None,
    *,
    engine: str | EngineChoice = LOCAL,
    address: str | None = None,
    watcher: Watcher | None = None,
) -> list[Evaluation]:
    """Add what the papers' own rules say to each evaluation of a finished run.

    Verdicts and times stay as they are, and nothing is judged again. Of several evaluations of one
    name the newest counts.
    """
    require_evaluation_extra()
    wanted = Settings(jobs=os.cpu_count() or 1) if settings is None else settings
    wanted = apply_options(wanted, {"paper_rules": True})
    folder = RunFolder.to_write(Path(run)).root
    if not is_run(folder):
        raise BadInput(f"{folder} is not a run")
    with open_engine(_choice(engine, address), wanted) as machines:
        with RunSession(resolve(wanted, machines), folder, machines) as session:
            session.rules.add_to_all(kept_submissions(folder), watcher)
    return [kept.evaluation for kept in newest(folder)]


def read_submissions(
    *paths: str | os.PathLike[str],
    task: TaskName | None = None,
    tell: Callable[[int], None] | None = None,
) -> Intake:
    """Read files, folders and `.jsonl` data sets; what cannot be judged is named, not dropped.

    `tell` is called now and then with the number of rows read so far.
    """
    for path in paths:
        require_type("read_submissions()", path, (str, os.PathLike), "paths")
    return read_intake(map(Path, paths), _name_of(task), tell=tell)


class Evaluator:
    """Evaluates many kernels with workers that stay warm; use it in a `with` statement.

    A source is a text (`str`), a file (`Path`) or a `Submission`. A text is never taken for a path:
    it may be what a model wrote. Methods may be called from several threads.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        out: str | os.PathLike[str] | None = None,
        engine: str | EngineChoice = LOCAL,
        address: str | None = None,
        **options: Unpack[SettingsOptions],
    ) -> None:
        """Open the run folder `out`, or none; options replace fields of the settings.

        In a run folder each result is stored as soon as it is known, and nothing is judged twice.
        Without one nothing is kept and nothing is left on disk. With `engine="ray"` the nodes of
        the Ray cluster at `address` judge; without an address Ray is started on this machine.
        """
        wanted = Settings(jobs=os.cpu_count() or 1) if settings is None else settings
        require_type("Evaluator()", wanted, Settings, "Settings")
        require_type("out", out, (str, os.PathLike, type(None)), "the path of a run folder")
        wanted = apply_options(wanted, options)
        if wanted.stage is not Stage.CHECK:
            require_evaluation_extra()
        folder = None if out is None else RunFolder.to_write(Path(out)).root
        with ExitStack() as stack:
            machines = stack.enter_context(open_engine(_choice(engine, address), wanted))
            self._settings = resolve(wanted, machines)
            self._session = stack.enter_context(RunSession(self._settings, folder, machines))
            refuse_generated(self._session.database, str(out))
            cards = len(self._settings.gpus) or gpu_count()
            # A cluster has more, as soon as its nodes are known.
            threads = 1 if machines else count_concurrent(self._settings, cards)
            session = self._session
            self._queue = EvaluationQueue(session.judge, session.share, session.stop, threads)
            session.pool = self._queue.pool
            self._stack = stack.pop_all()
        self._pid = os.getpid()
        held = (self._pid, self._queue, self._stack)
        self._forgotten = weakref.finalize(self, _end, *held, in_peace=False)

    @property
    def settings(self) -> Settings:
        """Settings as this machine resolved them: `device` is never `auto`."""
        return self._settings

    @property
    def session(self) -> RunSession:
        """The open run below, for commands of `kbx` that need its parts; not a stable interface."""
        return self._session

    @property
    def compiled(self) -> list[ReferenceCompilation]:
        """How long `torch.compile` took for each reference so far."""
        return self._session.compiled

    def evaluate(self, source: Source, *, task: TaskName | None = None) -> Evaluation:
        """Evaluate one kernel and wait for the result."""
        return self.submit(source, task=task).result()

    def submit(self, source: Source, *, task: TaskName | None = None) -> Future[Evaluation]:
        """Queue one kernel; the future can be cancelled until a worker takes it."""
        self._require_open()
        submission = read_source(source, _name_of(task))
        return self._queue.put(self._session.job_for(submission))

    async def aevaluate(self, source: Source, *, task: TaskName | None = None) -> Evaluation:
        """Evaluate one kernel without blocking the event loop."""
        import asyncio

        return await asyncio.wrap_future(self.submit(source, task=task))

    def map(
        self,
        sources: Iterable[Source] | Intake,
        *,
        task: TaskName | Sequence[TaskName] | None = None,
        deadline_s: float | None = None,
        watcher: Watcher | None = None,
    ) -> Iterator[Evaluation]:
        """Evaluate a batch; results come in the order of the sources, as soon as they are known.

        `task` is the task of all sources, or a list with one for each. `deadline_s` counts from
        this call. What is not finished by then comes as `Void` with the reason `deadline`, is not
        stored, and has no reward.
        """
        self._require_open()
        if deadline_s is not None:
            require_positive("deadline_s", deadline_s)
        ends = None if deadline_s is None else time.monotonic() + deadline_s
        submissions = self._read_all(sources, task)
        self._session.store_statements(one.task for one in submissions)
        jobs = [self._session.job_for(one) for one in submissions]
        futures = self._begin(jobs, watcher)
        return self._results(submissions, futures, ends, deadline_s or 0.0)

    def close(self) -> None:
        """Wait for what was submitted, then end the workers."""
        self._close(in_peace=True)

    def __enter__(self) -> "Evaluator":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close(in_peace=kind is None)

    def _close(self, *, in_peace: bool) -> None:
        if self._forgotten.detach() is not None:
            _end(self._pid, self._queue, self._stack, in_peace=in_peace)

    def _require_open(self) -> None:
        """Refuse use in another process: threads and locks do not exist there, and waiting would
        not end."""
        if os.getpid() != self._pid:
            raise BadInput(
                f"this Evaluator belongs to process {self._pid}, and {os.getpid()} was forked "
                "from it: create an Evaluator of its own after the fork"
            )
        if not self._forgotten.alive:
            raise BadInput("the Evaluator is closed")

    def _read_all(
        self,
        sources: Iterable[Source] | Intake,
        task: TaskName | Sequence[TaskName] | None,
    ) -> list[Submission]:
        if isinstance(sources, Intake):
            self._session.database.keep_not_judged(sources.sources, sources.not_judged)
            return sources.submissions
        if isinstance(sources, str | os.PathLike | Submission):
            raise TypeError("map() takes several sources; evaluate() takes one")
        require_type("map()", sources, Iterable, "an iterable of sources")
        given = list(sources)
        if task is None or isinstance(task, TaskName):
            return [read_source(one, _name_of(task)) for one in given]
        if len(task) != len(given):
            raise BadInput(f"{len(given)} sources and {len(task)} tasks: expected one for each")
        return [read_source(one, _name_of(own)) for one, own in zip(given, task, strict=True)]

    def _begin(
        self, jobs: list[EvaluationJob], watcher: Watcher | None
    ) -> list[Future[Evaluation]]:
        distinct = list({job.row: job for job in jobs}.values())
        waiting = {job.row for job in self._session.begin(distinct, watcher)}
        lock = threading.Lock()

        def tell(evaluation: Evaluation) -> None:
            if watcher is not None:
                with lock:
                    watcher.done(evaluation)

        futures = {
            job.row: self._queue.put(job, tell if job.row in waiting else None) for job in distinct
        }
        return [futures[job.row] for job in jobs]

    def _results(
        self,
        submissions: list[Submission],
        futures: list[Future[Evaluation]],
        ends: float | None,
        deadline_s: float,
    ) -> Iterator[Evaluation]:
        try:
            for submission, future in zip(submissions, futures, strict=True):
                left = None if ends is None else max(0.0, ends - time.monotonic())
                if wait([future], left).done:
                    yield future.result()
                else:
                    self._queue.give_up(future)
                    yield self._void_late(submission, deadline_s)
        finally:
            for future in futures:
                self._queue.give_up(future)

    def _void_late(self, submission: Submission, deadline_s: float) -> Evaluation:
        known = facts(submission.task)
        attempt = EvaluationState(submission, known, accepted_entries(known))
        detail = f"not finished within {deadline_s:g} s of the start of the batch"
        outcome = Void(reason=Reason.DEADLINE, detail=detail)
        return build_evaluation(attempt, outcome, self._session.provenance, deadline_s)


def _name_of(task: TaskName | None) -> str | None:
    if isinstance(task, TaskInfo):
        return task.name
    if task is None or isinstance(task, str):
        return task
    raise TypeError(f"task takes a name or a TaskInfo, not {describe_type(task)}")


def _choice(engine: str | EngineChoice, address: str | None) -> EngineChoice:
    if isinstance(engine, EngineChoice):
        return engine
    return EngineChoice(name=engine, address=address)


def _end(pid: int, queue: EvaluationQueue, stack: ExitStack, *, in_peace: bool) -> None:
    if os.getpid() != pid:
        return  # a forked child: the workers serve its parent
    try:
        queue.close(wait_for_all=in_peace)
    finally:
        stack.close()
