"""Counts kernel launches on a real GPU, and can make them do nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Launches:
    """Launches of the current call, in order."""

    seen: list[dict[str, Any]] = field(default_factory=list)
    failures: list[dict[str, Any]] = field(default_factory=list)
    ablate: bool = False
    memory: Any = None
    """Is called before and after a launch with the values that the launch was given."""

    def begin(self, *, ablate: bool) -> None:
        """Forget the last call."""
        self.seen.clear()
        self.failures.clear()
        self.ablate = ablate

    @contextmanager
    def track_launch(self, kernel: str, given: Any) -> Iterator[None]:
        """Record a launch: what lay in its memory before, and whether it failed."""
        if self.memory is not None:
            self.memory.before(given)
        try:
            yield
        except Exception as error:
            failure = {"kernel": kernel, "type": type(error).__name__, "message": str(error)[:1000]}
            self.failures.append(failure)
            raise
        finally:
            if self.memory is not None:
                self.memory.after(given)


@contextmanager
def counting_launches() -> Iterator[Launches]:
    """Count every `kernel[grid](...)` where it passes through `JITFunction.run`.

    A binary that `kernel.warmup` gave is launched by itself.
    """
    from triton.compiler.compiler import CompiledKernel
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.jit import JITFunction

    launches = Launches()
    original, measured, tuned = JITFunction.run, Autotuner._bench, Autotuner.run
    binary_at = CompiledKernel.__getitem__

    def run(self: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        if not warmup:
            launches.seen.append({"kernel": self.fn.__name__})
        size = () if callable(grid) else grid
        with launches.track_launch(self.fn.__name__, (args, kwargs, size)):
            if launches.ablate and not warmup:
                return None
            return original(self, *args, grid=grid, warmup=warmup, **kwargs)

    def bench(self: Any, *args: Any, **kwargs: Any) -> Any:
        # A configuration that a GPU cannot run is passed over, not failed.
        kept = len(launches.failures)
        try:
            return measured(self, *args, **kwargs)
        finally:
            del launches.failures[kept:]

    def tune(self: Any, *args: Any, **kwargs: Any) -> Any:
        # Where nothing ran, no configuration was tried: none is kept for later calls.
        known = set(self.cache)
        try:
            return tuned(self, *args, **kwargs)
        finally:
            for key in set(self.cache) - known if launches.ablate else ():
                del self.cache[key]

    def launcher_of(self: Any, grid: Any) -> Any:
        launch, name = binary_at(self, grid), self.metadata.name

        def count_and_launch(*args: Any, **kwargs: Any) -> Any:
            launches.seen.append({"kernel": name})
            with launches.track_launch(name, (args, kwargs)):
                return None if launches.ablate else launch(*args, **kwargs)

        return count_and_launch

    JITFunction.run, Autotuner._bench, Autotuner.run = run, bench, tune
    CompiledKernel.__getitem__ = launcher_of
    try:
        yield launches
    finally:
        JITFunction.run, Autotuner._bench, Autotuner.run = original, measured, tuned
        CompiledKernel.__getitem__ = binary_at
