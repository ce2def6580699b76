"""Isolation levels of a worker, and which protections this machine lacks."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """Each level has everything of the one before."""

    L1 = "L1"
    """Own process: clean environment, private folders, limits, nothing left running."""
    L2 = "L2"
    """System calls filtered, files outside a short list unreadable, no network."""
    L3 = "L3"
    """Own view of the machine: processes, mounts, network; another user."""


class Identity(StrEnum):
    """Whose rights a child has at L3."""

    OTHER = "other"
    """Another user id for each child."""
    MAPPED = "mapped"
    """The same user, in a user namespace where it may do nothing."""
    SAME = "same"
    """The same user without capabilities."""


@dataclass(frozen=True)
class WorkerIsolation:
    """The isolation that was found or chosen, printed with every result."""

    level: Level
    missing: tuple[str, ...] = ()
    """Protections that this machine or the chosen level lacks, each with the reason."""
    landlock_abi: int = 0
    identity: Identity = Identity.SAME

    def __str__(self) -> str:
        return self.level.value if not self.missing else f"{self.level} ({'; '.join(self.missing)})"
