"""Reads the submissions of an earlier run, to judge them again: on a GPU, or with other inputs."""

from pathlib import Path

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.submission import Submission
from kernelbenchx.store.evaluation_lookup import StoredEvaluation, newest
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.opening import open_run


def is_run(folder: Path) -> bool:
    """Whether a folder is a run of kbx, and not one of files."""
    return RunFolder(folder).database.is_file()


def submissions_of(run: Path) -> list[Submission]:
    """The submissions as handed in, with model, method, round and sample."""
    return [submission for _, submission in kept_submissions(run)]


def kept_submissions(run: Path) -> list[tuple[StoredEvaluation, Submission]]:
    """The newest evaluation of every task and name, with what was judged."""
    with open_run(run) as connection:
        sources = dict(connection.execute("SELECT digest, source FROM sources"))
    return [
        (kept, _submission(kept.evaluation, sources))
        for kept in newest(run)
        if kept.evaluation.digest in sources
    ]


def _submission(one: Evaluation, sources: dict[str, str]) -> Submission:
    return Submission(
        name=one.submission,
        task=one.task,
        source=sources[one.digest],
        language=one.language,
        origin=one.origin,
    )
