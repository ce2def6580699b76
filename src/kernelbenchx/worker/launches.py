"""Counts kernel launches on a real card, and can make them do nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Launches:
    """Launches of the current call, in order."""

    seen: list[dict[str, Any]] = field(default_factory=list)
    ablate: bool = False

    def begin(self, *, ablate: bool) -> None:
        """Forget the last call."""
        self.seen.clear()
        self.ablate = ablate


@contextmanager
def counting_launches() -> Iterator[Launches]:
    """Every `kernel[grid](...)` passes through `JITFunction.run`; note it there."""
    from triton.runtime.jit import JITFunction

    launches = Launches()
    original = JITFunction.run

    def run(self: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        if not warmup:
            launches.seen.append({"kernel": self.fn.__name__})
            if launches.ablate:
                return None
        return original(self, *args, grid=grid, warmup=warmup, **kwargs)

    JITFunction.run = run
    try:
        yield launches
    finally:
        JITFunction.run = original
