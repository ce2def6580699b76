"""The GPUs of this machine as slots: each submission stays on the GPU that it was assigned."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.performance import ReferenceCompilation
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.gpu_lock import PATIENCE, GpuLock
from kernelbenchx.evaluate.process_slots import ProcessSlots
from kernelbenchx.evaluate.replay_processes import PAIRS
from kernelbenchx.measure.bench_connection import BenchConnection
from kernelbenchx.measure.peak_cache import is_kept
from kernelbenchx.runner.gpu_lease import GpuLease, Say
from kernelbenchx.runner.gpus import gpu_uuid
from kernelbenchx.runner.zygote_process import MOST_CHILDREN

MOST_RUNNERS = 2
"""Processes with one submission in them while it is timed."""
_YIELD_S = 0.005
"""Pause between speculative requests, so that a submission that needs a task now goes first."""
REPLAYING = 8
"""Cores kept free for processes that replay; with more GPUs, more."""


@dataclass(frozen=True)
class GpuSlot:
    """One GPU: its lock, and its bench."""

    index: int
    gate: GpuLock
    bench: BenchConnection
    lease: GpuLease = field(default_factory=lambda: GpuLease(""))

    @property
    def device(self) -> str:
        """Its name for torch."""
        return f"cuda:{self.index}"


@dataclass
class GpuSlots:
    """Assigns the next submission to the GPU with the fewest."""

    slots: tuple[GpuSlot, ...]
    process_slots: ProcessSlots = field(default_factory=ProcessSlots)
    """Limits how many submissions have processes ready to be timed."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _load: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, settings: Settings, seed: int, run: str = "", say: Say = lambda _words: None
    ) -> "GpuSlots":
        """The GPUs that the settings name, or all that torch sees; other processes that wait for
        them are shown the name of the run."""
        import torch

        indices = settings.gpus or tuple(range(torch.cuda.device_count()))
        sharers = max(1, settings.jobs // max(1, len(indices)))
        room = MOST_CHILDREN - settings.jobs - max(REPLAYING, PAIRS * len(indices))
        known = seed, settings.baselines, settings.sizes, settings.isolation
        slots = []
        for index in indices:
            lease = GpuLease(gpu_uuid(index), run, say=say)
            lease.require()
            gate = GpuLock(sharers, PATIENCE, lease=lease)
            bench = BenchConnection(f"cuda:{index}", *known, lease=lease)
            slots.append(GpuSlot(index, gate, bench, lease))
        return cls(tuple(slots), ProcessSlots(max(1, room // MOST_RUNNERS)))

    @contextmanager
    def assign_gpu(self) -> Iterator[GpuSlot]:
        """A GPU for one submission."""
        with self._lock:
            slot = min(self.slots, key=lambda one: self._load.get(one.index, 0))
            self._load[slot.index] = self._load.get(slot.index, 0) + 1
        try:
            yield slot
        finally:
            with self._lock:
                self._load[slot.index] -= 1

    def start(self, tasks: Sequence[str]) -> None:
        """Start the benches in the background, and let them prepare the expected tasks.

        Later they have no time for it; a failure here is raised again by the first request.
        """
        for slot in self.slots:
            ready = threading.Event()
            threading.Thread(target=_start_bench, args=(slot, tasks, ready), daemon=True).start()
            ready.wait()

    def list_compilations(self) -> list[ReferenceCompilation]:
        """What compiling references took on all GPUs, by GPU and task; skips a bench that ended."""
        found: list[ReferenceCompilation] = []
        for slot in self.slots:
            with contextlib.suppress(EvaluatorFault):
                found += slot.bench.list_compilations()
        return found

    def stop_waiting(self) -> None:
        """Give up the GPUs that other processes hold."""
        for slot in self.slots:
            slot.lease.close()

    def close(self) -> None:
        """End the benches."""
        for slot in self.slots:
            slot.bench.close()
            slot.lease.close()


@contextmanager
def share_for_preparing(card: GpuSlot, tell: Callable[[str], None]) -> Iterator[None]:
    """Prepare on a shared GPU; afterwards the submission needs nothing but the GPU."""
    tell("waiting")
    with card.gate.acquire_shared(last=True):
        tell("preparing")
        yield


def _start_bench(slot: GpuSlot, tasks: Sequence[str], ready: threading.Event) -> None:
    """On a machine without measured peaks no other process uses the GPU before they are measured:
    work that a submission left there would make them too low for good."""
    try:
        if not is_kept(gpu_uuid(slot.index)):
            with contextlib.suppress(EvaluatorFault), slot.gate.acquire_exclusive():
                ready.set()
                slot.bench.measure_peaks()
    finally:
        ready.set()
    with contextlib.suppress(EvaluatorFault):
        slot.bench.expect(tasks)
        for task in tasks:
            slot.bench.layouts(task)
            time.sleep(_YIELD_S)
