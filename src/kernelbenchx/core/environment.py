"""What the machine was when something was evaluated."""

from kernelbenchx.core.record import Record


class Environment(Record, frozen=True, kw_only=True):
    """Versions and hardware, as recorded with every evaluation."""

    harness: str
    python: str
    torch: str
    triton: str
    machine: str
    gpu: str = ""


class Isolation(Record, frozen=True, kw_only=True):
    """What stood between the submission and the judge."""

    level: str
    missing: tuple[str, ...] = ()
    """Protections of this level that the machine could not give."""


class Placement(Record, frozen=True, kw_only=True):
    """Where in a cluster something was evaluated."""

    node: str
    """Host name, and the first digits of Ray's name for the node."""
    gpu: str = ""
    """UUID of the GPU; empty in the interpreter."""
    attempt: int = 1
    """Above one where nodes were lost before."""
