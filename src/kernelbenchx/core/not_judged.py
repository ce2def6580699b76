"""Submitted rows and files that were not judged."""

from enum import StrEnum

from kernelbenchx.core.record import Record
from kernelbenchx.core.text import LONGEST_PATH, clean_fields


class WhyNotJudged(StrEnum):
    """Why a row or a file is not a valid submission."""

    UNKNOWN_TASK = "unknown_task"
    UNREADABLE = "unreadable"


class NotJudged(Record, frozen=True, kw_only=True):
    """A row of a data set, or a file of a folder."""

    source: str
    """The file or folder that was named."""
    name: str
    why: WhyNotJudged
    detail: str
    """The task that is not in the catalogue, or why it cannot be read."""

    def __post_init__(self) -> None:
        clean_fields(self, "name")
        clean_fields(self, "source", "detail", most=LONGEST_PATH)

    def __str__(self) -> str:
        if self.why is WhyNotJudged.UNKNOWN_TASK:
            return f"no such task: {self.name} ({self.detail})"
        return self.detail
