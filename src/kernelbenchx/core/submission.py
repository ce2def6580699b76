"""A kernel somebody wrote for a task, and where it came from."""

import hashlib

from kernelbenchx.core.record import Record
from kernelbenchx.core.text import clean_fields

HANDED_IN = "answer"
"""The step of a kernel that a method judges once more because it is what it hands in."""


class Origin(Record, frozen=True, kw_only=True):
    """Who or what wrote it; empty fields are unknown."""

    file: str = ""
    model: str = ""
    method: str = ""
    round: str = ""
    sample: int = 0
    """Which of those side by side in a round; only with a step."""
    parent: str = ""
    """The name of the submission it was made from."""
    step: str = ""
    """Where in a method it was written; only what `kbx generate` asked for has one."""

    def __post_init__(self) -> None:
        clean_fields(self, "file", "model", "method", "round", "parent", "step")


class Submission(Record, frozen=True, kw_only=True):
    """A source for one task."""

    name: str
    """What a table shows: the file's stem, or an id of the data set."""
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
