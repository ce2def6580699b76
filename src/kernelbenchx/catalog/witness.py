"""The witness of a task: a plain submission that shows the task can be solved."""

from kernelbenchx import catalog
from kernelbenchx.core.errors import BrokenTask


def witness_source(name: str) -> str:
    """Its text. It is handed in like any other submission, and never imported here."""
    path = catalog.witness_path(name)
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BrokenTask(f"{path}: {error.strerror}") from error
