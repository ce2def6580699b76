"""The submissions of an earlier run, to be judged once more: on a GPU, or with other inputs."""

from pathlib import Path

from kernelbenchx.core.submission import Submission
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.opening import open_run
from kernelbenchx.store.reading import newest


def is_run(folder: Path) -> bool:
    """Whether a folder is a run of kbx, and not one of files."""
    return RunFolder(folder).database.is_file()


def submissions_of(run: Path) -> list[Submission]:
    """As they were handed in, with model, method, round and sample."""
    with open_run(run) as connection:
        sources = dict(connection.execute("SELECT digest, source FROM sources"))
    kept = (one.evaluation for one in newest(run))
    return [
        Submission(
            name=one.submission,
            task=one.task,
            source=sources[one.digest],
            origin=one.origin,
        )
        for one in kept
        if one.digest in sources
    ]
