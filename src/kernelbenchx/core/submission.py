"""The source of a kernel for a task, and its origin."""

import hashlib

from kernelbenchx.core.record import Record
from kernelbenchx.core.text import clean_fields

HANDED_IN = "answer"
"""The step of a method that submits its kernel once more as the final result."""


class Origin(Record, frozen=True, kw_only=True):
    """The author of a kernel, person or method; empty fields are unknown."""

    file: str = ""
    model: str = ""
    method: str = ""
    round: str = ""
    sample: int = 0
    """Its number among parallel candidates of a round; only with a step."""
    parent: str = ""
    """The name of the submission that it was derived from."""
    step: str = ""
    """The step of the method that wrote it; only for what `kbx generate` requested."""

    def __post_init__(self) -> None:
        clean_fields(self, "file", "model", "method", "round", "parent", "step")


class Submission(Record, frozen=True, kw_only=True):
    """A source for one task."""

    name: str
    """Shown in tables: the file's stem, or an id of the data set."""
    task: str
    """`category/name`."""
    source: str
    language: str = "triton"
    origin: Origin = Origin()

    def __post_init__(self) -> None:
        clean_fields(self, "name")

    @property
    def digest(self) -> str:
        """Content address of the source."""
        return hashlib.sha256(self.source.encode()).hexdigest()
