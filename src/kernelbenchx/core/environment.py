"""The machine at the time of an evaluation."""

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
    """The isolation between the submission and the judge."""

    level: str
    missing: tuple[str, ...] = ()
    """Protections of this level that the machine could not provide."""


class Placement(Record, frozen=True, kw_only=True):
    """Where in a cluster an evaluation ran."""

    node: str
    """Host name, and the first digits of Ray's id of the node."""
    gpu: str = ""
    """UUID of the GPU; empty in the interpreter."""
    attempt: int = 1
    """Above one if nodes were lost before."""
