"""What a runner runs: a submission, a plan of recorded launches, or a reference."""

from typing import Any, Protocol

from ..order import Arguments
from .clocks import Bound


class Program(Protocol):
    """A submission, a plan of recorded launches, or a reference, as a runner uses it."""

    def prepare(self, arguments: Arguments) -> None:
        """Compile everything that a call needs; no clock runs."""
        ...

    def obstacle(self, arguments: Arguments) -> str:
        """Why its launches cannot be recorded and replayed; empty where they can."""
        ...

    def tune(self, arguments: Arguments) -> None:
        """Choose configurations by measuring; no other process uses the GPU."""
        ...

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:
        """What a call launches, as a plan and its binaries."""
        ...

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:
        """Load a plan."""
        ...

    def bind(self, arguments: Arguments) -> Bound:
        """Bind one call to these arguments.

        It may have `parts`, functions that make it up, and `own`, pairs of memory that a call by
        its author would find new, and what is in it then: one byte everywhere, or a tensor.
        """
        ...

    def release(self) -> None:
        """Free what the calls of a case needed."""
        ...
