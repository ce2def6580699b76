"""Builds one plan that can be replayed from two recordings, or the reason why it cannot."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from kernelbenchx.replay.schema import MOST_BINARY_BYTES, ReplayPlan
from kernelbenchx.replay.validation import printable, validate_plan
from kernelbenchx.worker.frames import Malformed, pack, unpack

MOST_PLAN_BYTES = 4 << 20
_LENGTH = slice(4, 8)
"""Where a frame says how long its header is."""


class StorageSizes(Protocol):
    """Sizes of a call's memory."""

    @property
    def storages(self) -> Sequence[int]:
        """Sizes in bytes."""
        ...


@dataclass(frozen=True)
class Replayable:
    """A checked plan with its binaries."""

    plan: ReplayPlan
    binaries: bytes

    def to_bytes(self) -> bytes:
        """Bytes for the process that replays it: encoded again from the checked content."""
        return pack(self.plan.document(), self.binaries)


def replayable(first: bytes, second: bytes, layout: StorageSizes) -> tuple[Replayable | None, str]:
    """The plan on which recordings on different values agree; None with the reason otherwise."""
    one, other = _read(first, layout), _read(second, layout)
    if isinstance(one, str) or isinstance(other, str):
        return None, one if isinstance(one, str) else str(other)
    different = differs(one.plan, other.plan)
    return (None, different) if different else (one, "")


def differs(first: ReplayPlan, second: ReplayPlan) -> str:
    """Why two recordings on different values are not the same plan; empty when they are."""
    if first == second:
        return ""
    if (first.steps, first.cubins) != (second.steps, second.cubins):
        return "launches depend on values"
    return "what is returned depends on values"


def _read(body: bytes, layout: StorageSizes) -> Replayable | str:
    """Read one frame: a plan with binaries behind it, or an obstacle in words."""
    length = int.from_bytes(body[_LENGTH], "little")
    if length > MOST_PLAN_BYTES or len(body) > MOST_PLAN_BYTES + MOST_BINARY_BYTES:
        return "a plan that is too large"
    try:
        frame = next(unpack(body))
    except (Malformed, StopIteration):
        return "what was recorded cannot be read"
    header = frame.header
    obstacle = header.get("obstacle")
    if isinstance(obstacle, str):
        return printable(obstacle) or "an obstacle without a name"
    binaries = bytes(frame.payload)
    plan = validate_plan(header.get("plan"), binaries, layout.storages)
    return plan if isinstance(plan, str) else Replayable(plan, binaries)
