"""The running launch: its memory, its current program, and its watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import progress
from .dtypes import Array
from .errors import line_of_kernel
from .ordering import Ordering
from .spin_detection import SpinCounter
from .storages import Access, Storages
from .watch import Watch

__all__ = ["Grid", "Launch"]

Grid = tuple[int, int, int]


class Launch:
    """State of one launch; the builder consults it before it touches memory."""

    def __init__(self, kernel: str, grid: Grid, watch: Watch) -> None:
        self.kernel = kernel
        self.grid = grid
        self.watch = watch
        self.order = Ordering(grid[0] * grid[1] * grid[2])
        self.adopted: list[Any] = []
        """Tensors whose addresses the kernel read from memory."""
        self.storages = Storages(self.order, self._adopt)
        self.patience: SpinCounter | None = None
        self.atomics = False
        self.num_warps = 4
        self.program = 0
        """Number of the running program, counted from 1."""

    def begin(self, program: int) -> None:
        """Start a program, numbered from 0."""
        self.program = program + 1
        self.order.begin(self.program)
        if self.patience is not None:
            self.patience.progress()

    def begin_again(self) -> None:
        """Restart all programs in order; a program that waits again would wait for ever."""
        self.patience = None
        self.order.forget()
        self.storages.forget_accesses()

    def synchronize(self, address: int, *, acquires: bool, releases: bool) -> None:
        """Note an atomic of the running program at one address."""
        if acquires:
            self.order.acquire(address)
        if releases:
            self.order.release(address)

    def place(self, program: int) -> Grid:
        """Program id of a program numbered from 0."""
        x, y, _ = self.grid
        return program % x, program // x % y, program // (x * y)

    def note_load(self, access: Access, size: int) -> None:
        """Note that the running program reads."""
        index = access.index
        self.watch.bytes_loaded += index.size * size
        region = access.region
        if self.patience is not None and index.size == 1:
            self.patience.look(region.start + int(index.flat[0]) * size)
        clash = region.shadow.on_read(index, size)
        if clash is not None and not self.watch.has_enough_races():
            self._report(access, clash.kind, clash.other, clash.offset)

    def storing(self, access: Access, size: int, differs: Callable[[], Array]) -> None:
        """Note that the running program is about to write."""
        self.watch.bytes_stored += access.index.size * size
        if self.patience is not None:
            self.patience.progress()
        clash = access.region.shadow.on_write(access.index, size, differs)
        if clash is not None and not self.watch.has_enough_races():
            self._report(access, clash.kind, clash.other, clash.offset)

    def fill_undefined(self, poison: Any) -> Any:
        """The content of lanes that a load masks off without saying what they are."""
        progress.current().note_undefined()
        self.watch.undefined_loads.add((self.kernel, line_of_kernel() or 0))
        return 0 if self.watch.zeros else poison

    def rewrites(self) -> bool:
        """Whether running it again might give another result: it read what it wrote."""
        return self.atomics or any(
            region.shadow.read and region.shadow.written for region in self.storages.regions
        )

    def _adopt(self, tensor: Any) -> None:
        self.adopted.append(tensor)
        if self.watch.memory is not None:
            self.watch.memory.before(tensor)

    def _report(self, access: Access, kind: str, other: int, offset: int) -> None:
        programs = sorted(
            list(self.place(one - 1)) for one in (self.program, self.order.program_of(other))
        )
        known = {
            "kernel": self.kernel,
            "kind": kind,
            "programs": programs,
            "tensor": access.region.name,
            "offset": offset,
            "line": line_of_kernel(),
        }
        self.watch.report_race(known)
