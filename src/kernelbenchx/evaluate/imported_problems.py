"""Published problems in a run: their sandbox, and the audit before the first verdict on each."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING

from kernelbenchx import catalog
from kernelbenchx.catalog.problem_folders import problem_folders
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.runner.levels import WorkerIsolation

if TYPE_CHECKING:
    from kernelbenchx.runner.problem_files import ProblemFiles


@contextmanager
def problem_sandbox(isolation: WorkerIsolation, jobs: int) -> Iterator["ProblemFiles | None"]:
    """Where published problems are drawn; None where the user named none."""
    if not problem_folders():
        yield None
        return
    from kernelbenchx.spec.imported_problem import drawing_by

    with open_files(isolation, jobs) as files, drawing_by(files.draw, files.probe):
        yield files


def open_files(isolation: WorkerIsolation, jobs: int) -> AbstractContextManager["ProblemFiles"]:
    """A sandbox for the files of published problems."""
    from kernelbenchx.runner.problem_files import ProblemFiles

    return ProblemFiles(isolation, jobs)


def require_audit_of(files: "ProblemFiles | None", name: str) -> None:
    """Audit the problem first: verdicts on one that a trivial answer passes are never pooled with
    others."""
    published = catalog.find_published(name)
    if files is None or published is None:
        return
    from kernelbenchx.evaluate.problem_audit import require_audit

    with suppress(EvaluatorFault):  # the next stage meets it again and retries it
        require_audit(files, published.text)


def select_preparable(names: list[str]) -> list[str]:
    """The tasks that a bench may prepare: it has processes for one published problem at a time."""
    return [name for name in names if catalog.find_published(name) is None]
