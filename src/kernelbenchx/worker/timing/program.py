"""What a runner runs: a submission, a plan of recorded launches, or a reference."""

from typing import Any, Protocol

from ..order import Arguments
from .clocks import Bound


class Program(Protocol):
    """What a runner runs."""

    def prepare(self, arguments: Arguments) -> None:
        """Compile everything that a call needs; no clock runs."""
        ...

    def obstacle(self, arguments: Arguments) -> str:
        """Why its launches cannot be recorded and replayed, or nothing."""
        ...

    def tune(self, arguments: Arguments) -> None:
        """Choose configurations by measuring; the card is ours alone."""
        ...

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:
        """What a call launches, as a plan and its binaries."""
        ...

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:
        """Take a plan over."""
        ...

    def bind(self, arguments: Arguments) -> Bound:
        """One call on these arguments.

        It may have `parts`, functions that make it up, and `own`, pairs of memory that a call by
        its author would find new, and what is in it then: one byte everywhere, or a tensor.
        """
        ...

    def release(self) -> None:
        """Give back what the calls of a case needed."""
        ...
