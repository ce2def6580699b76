"""One run from end to end: settings resolved, workers warm, results stored."""

import warnings
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Protocol

import msgspec

from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.record import to_json
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import seeds
from kernelbenchx.evaluate.batch import Job, jobs_for, require_all, run_jobs
from kernelbenchx.evaluate.pipeline import Pipeline, environment_here
from kernelbenchx.evaluate.workers import workers
from kernelbenchx.runner.isolation import choose
from kernelbenchx.runner.toolchain import require_tested_triton, target_names
from kernelbenchx.store.database import Database, writing
from kernelbenchx.store.layout import RunFolder


class Watcher(Protocol):
    """Somebody who wants to see how far a run is."""

    def begin(self, total: int, finished: int) -> None: ...

    def done(self, evaluation: Evaluation) -> None: ...


def resolved(wanted: Settings) -> Settings:
    """The device and level decided; what this machine cannot do is said in one line."""
    require_tested_triton()
    here = _cuda_here()
    if wanted.device == "cuda" and not here:
        raise BadInput("--device cuda: torch sees no CUDA device here; try --device interpreter")
    if wanted.target not in target_names():
        named = ", ".join(target_names())
        raise BadInput(f"no target is called {wanted.target!r}: one of {named}")
    if wanted.device != "auto":
        return wanted
    return msgspec.structs.replace(wanted, device="cuda" if here else "interpreter")


def _cuda_here() -> bool:
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a driver too old for torch is simply no device
        return torch.cuda.is_available()


class Session:
    """Workers kept warm for as long as the run is open."""

    def __init__(self, settings: Settings, out: Path) -> None:
        self._settings = settings
        self._out = out
        self._stack = ExitStack()
        self._database: Database
        self.pipeline: Pipeline

    def __enter__(self) -> "Session":
        import torch

        # Several submissions are judged at once; threads inside each would only spin.
        torch.set_num_threads(1)
        with self._stack as stack:
            wanted = self._settings.isolation
            isolation = choose(None if wanted == "auto" else wanted)
            self._database = stack.enter_context(writing(RunFolder(self._out)))
            kept = self._database.noted("seed")
            seed = int(kept) if kept else self._settings.seed or seeds.fresh()
            self._database.note("seed", str(seed))
            warm = stack.enter_context(workers(self._settings, isolation))
            self.pipeline = Pipeline(warm, seed, environment_here(_gpu(self._settings)))
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def evaluate(self, submissions: list[Submission], watcher: Watcher) -> list[Evaluation]:
        """All of them, in order; those finished in this run before are read, not run."""
        jobs = jobs_for(submissions, self._settings, self.pipeline.environment)
        self._database.keep_statements(
            (name, to_json(statement(name)).decode())
            for name in {job.submission.task for job in jobs}
        )
        finished = self._database.finished()
        watcher.begin(len(jobs), sum(job.key in finished for job in jobs))

        def done(_job: Job, evaluation: Evaluation) -> None:
            watcher.done(evaluation)

        run_jobs(self.pipeline, self._database, jobs, done)
        return require_all(self._database, jobs)


def _gpu(settings: Settings) -> str:
    if settings.device != "cuda":
        return ""
    import subprocess

    # Asking torch would start CUDA in the judge, which must stay forkable and small.
    asked = subprocess.run(
        ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
        capture_output=True,
        text=True,
        check=False,
    )
    return asked.stdout.strip().splitlines()[0] if asked.stdout.strip() else "unknown"
