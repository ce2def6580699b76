"""The cards of this machine as slots: each submission stays on the card it was given."""

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
"""So that who needs a task now gets its turn before those who might."""
REPLAYING = 8
"""Kept free for processes that replay, or more where there are more cards."""


@dataclass(frozen=True)
class GpuSlot:
    """One card: who may use it, and who times on it."""

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
    """Hands the card with the fewest submissions to the next one."""

    slots: tuple[GpuSlot, ...]
    process_slots: ProcessSlots = field(default_factory=ProcessSlots)
    """Who has processes ready to be timed."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _load: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, settings: Settings, seed: int, run: str = "", say: Say = lambda _words: None
    ) -> "GpuSlots":
        """The cards that the settings name, or all that torch sees; other processes that wait for
        them are told the name of the run."""
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
        """A card for one submission."""
        with self._lock:
            slot = min(self.slots, key=lambda one: self._load.get(one.index, 0))
            self._load[slot.index] = self._load.get(slot.index, 0) + 1
        try:
            yield slot
        finally:
            with self._lock:
                self._load[slot.index] -= 1

    def start(self, tasks: Sequence[str]) -> None:
        """Start the benches beside everything else, and let them look at what is to come.

        Later they have no time for it; what fails here, the first request says again.
        """
        for slot in self.slots:
            ready = threading.Event()
            threading.Thread(target=_start_bench, args=(slot, tasks, ready), daemon=True).start()
            ready.wait()

    def list_compilations(self) -> list[ReferenceCompilation]:
        """What compiling references took on all cards, by card and task; a bench may be gone."""
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
    """Getting ready on a card; afterwards nothing but the card is needed."""
    tell("waiting")
    with card.gate.acquire_shared(last=True):
        tell("preparing")
        yield


def _start_bench(slot: GpuSlot, tasks: Sequence[str], ready: threading.Event) -> None:
    """On a machine that knows no peaks nobody uses the card before they are measured: work that a
    submission left there would make them too low for good."""
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
