"""Times of many calls on one device: by events on a GPU, by the host's clock without one."""

import contextlib
import itertools
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch

Bound = Callable[[], Any]

_FLUSH_BYTES = 256 << 20
"""More than any second-level cache holds."""
_LONG_SPIN, _SHORT_SPIN = 8_000_000, 200_000
"""Cycles: long enough for the host to queue a batch of launches behind them, or one graph."""


class CapturedCalls(Protocol):
    """Calls that can be replayed on the GPU without the host."""

    results: list[Any]

    def replay(self) -> None: ...


@dataclass(frozen=True)
class QueuedCalls:
    """Calls that were queued on a device."""

    us: float
    """Device time of all calls together."""
    results: list[Any]
    ahead: bool
    """The host had queued all calls before the device began: no call waits for the device."""


class DeviceClock(Protocol):
    """What a runner needs from its device."""

    def synchronise(self) -> None:
        """Wait until the device is idle."""
        ...

    def touch(self) -> None:
        """Give the device something very short to do, and wait for it.

        A GPU that worked for another process takes longer to begin than many kernels run.
        """
        ...

    def capture(self, calls: Sequence[Bound]) -> CapturedCalls:
        """Record the calls as one graph; raises where that is impossible."""
        ...

    def graph_us(self, captured: CapturedCalls) -> float:
        """Device time of one replay from a cold cache."""
        ...

    def time_queued(self, calls: Sequence[Bound]) -> QueuedCalls:
        """Time the calls, made one after another from a cold cache."""
        ...

    def parts_us(self, calls: Sequence[Sequence[Bound]]) -> list[float]:
        """Device time of each part, the same number of all calls, summed over the calls."""
        ...

    def flush(self) -> None:
        """Push everything else out of the second-level cache."""
        ...


class GpuClock:
    """Events on the current stream of a GPU."""

    def __init__(self, device: torch.device) -> None:
        torch.cuda.set_device(device)
        self._device = device
        self._scratch: torch.Tensor | None = None
        self._little: torch.Tensor | None = None

    def synchronise(self) -> None:
        torch.cuda.synchronize(self._device)

    def touch(self) -> None:
        if self._little is None:
            self._little = torch.zeros(1, device=self._device)
        self._little.zero_()
        self.synchronise()

    def capture(self, calls: Sequence[Bound]) -> CapturedCalls:
        return _Graph(calls)

    def graph_us(self, captured: CapturedCalls) -> float:
        return self._time_behind_spin(captured.replay, _SHORT_SPIN)[0]

    def time_queued(self, calls: Sequence[Bound]) -> QueuedCalls:
        results: list[Any] = []
        run = lambda: results.extend(call() for call in calls)  # noqa: E731
        elapsed, ahead = self._time_behind_spin(run, _LONG_SPIN)
        return QueuedCalls(elapsed, results, ahead)

    def parts_us(self, calls: Sequence[Sequence[Bound]]) -> list[float]:
        marked = [[_event() for _ in range(len(parts) + 1)] for parts in calls]
        self.flush()
        torch.cuda._sleep(_LONG_SPIN)  # type: ignore[no-untyped-call]
        for parts, marks in zip(calls, marked, strict=True):
            marks[0].record()
            for part, mark in zip(parts, marks[1:], strict=True):
                part()
                mark.record()
        self.synchronise()
        spans = [itertools.pairwise(marks) for marks in marked]
        times = [[float(one.elapsed_time(other)) * 1e3 for one, other in span] for span in spans]
        return [sum(each) for each in zip(*times, strict=True)]

    def flush(self) -> None:
        if self._scratch is None:
            self._scratch = torch.empty(_FLUSH_BYTES, dtype=torch.uint8, device=self._device)
        self._scratch.zero_()

    def _time_behind_spin(self, run: Callable[[], Any], spin: int) -> tuple[float, bool]:
        """Device time, and whether the spin still ran when everything was queued behind it."""
        first, last = _event(), _event()
        self.flush()
        torch.cuda._sleep(spin)  # type: ignore[no-untyped-call]
        first.record()
        run()
        last.record()
        ahead = not first.query()
        self.synchronise()
        return float(first.elapsed_time(last)) * 1e3, ahead


def _event() -> Any:
    event: Any = torch.cuda.Event
    return event(enable_timing=True)


class _Graph:
    def __init__(self, calls: Sequence[Bound]) -> None:
        self._graph = torch.cuda.CUDAGraph()
        usual, pool = torch.cuda.current_stream(), torch.cuda.graph_pool_handle()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of one that failed, that it is empty
                with torch.cuda.graph(self._graph, pool=pool):
                    self.results = [call() for call in calls]
        except BaseException:
            torch.cuda.set_stream(usual)  # it stays on its own
            _leave_capture(pool)
            raise

    def replay(self) -> None:
        self._graph.replay()


def _leave_capture(pool: Any) -> None:
    """Repair the random generator after a failed capture: its next draw would raise.

    Its state is replaced; what it was seeded with is lost. Older versions of torch also go on to
    allocate for the capture, and give no memory back while they do.
    """
    generator: Any = torch.cuda.default_generators[torch.cuda.current_device()]
    generator.graphsafe_set_state(torch.Generator(generator.device).graphsafe_get_state())
    end: Any = getattr(torch._C, "_cuda_endAllocateToPool", None)
    with contextlib.suppress(RuntimeError):  # it was ended
        if end is not None:
            end(torch.cuda.current_device(), pool)


class HostClock:
    """The host's clock, where calls run on the host itself."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now

    def synchronise(self) -> None:
        return

    def touch(self) -> None:
        return

    def capture(self, calls: Sequence[Bound]) -> CapturedCalls:
        return _RepeatedCalls(calls)

    def graph_us(self, captured: CapturedCalls) -> float:
        started = self._now()
        captured.replay()
        return (self._now() - started) * 1e6

    def time_queued(self, calls: Sequence[Bound]) -> QueuedCalls:
        started = self._now()
        results = [call() for call in calls]
        return QueuedCalls((self._now() - started) * 1e6, results, ahead=False)

    def parts_us(self, calls: Sequence[Sequence[Bound]]) -> list[float]:
        taken = [[self.time_queued([part]).us for part in parts] for parts in calls]
        return [sum(each) for each in zip(*taken, strict=True)]

    def flush(self) -> None:
        return


class _RepeatedCalls:
    """The same interface without a GPU, where replaying makes the calls again."""

    def __init__(self, calls: Sequence[Bound]) -> None:
        self._calls = list(calls)
        self.results = [call() for call in self._calls]

    def replay(self) -> None:
        self.results = [call() for call in self._calls]


def clock_of(device: torch.device) -> DeviceClock:
    """The clock of a device."""
    return GpuClock(device) if device.type == "cuda" else HostClock()
