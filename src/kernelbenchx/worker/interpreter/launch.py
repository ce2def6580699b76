"""The launch that is running: its memory, its current program, and who watches."""

from __future__ import annotations

from collections.abc import Callable

from .dtypes import Array
from .errors import line_of_kernel
from .storages import Access, Storages
from .waiting import Patience
from .watch import Watch

__all__ = ["Grid", "Launch"]

Grid = tuple[int, int, int]


class Launch:
    """State of one launch; the builder asks it before it touches memory."""

    def __init__(self, kernel: str, grid: Grid, watch: Watch) -> None:
        self.kernel = kernel
        self.grid = grid
        self.watch = watch
        self.storages = Storages()
        self.patience: Patience | None = None
        self.atomics = False
        self.program = 0
        """Number of the running program, counted from 1."""

    def begin(self, program: int) -> None:
        """Start a program, numbered from 0."""
        self.program = program + 1
        if self.patience is not None:
            self.patience.progress()

    def place(self, program: int) -> Grid:
        """Program id of a program numbered from 0."""
        x, y, _ = self.grid
        return program % x, program // x % y, program // (x * y)

    def loaded(self, access: Access, size: int) -> None:
        """Note that the running program reads."""
        index = access.index
        self.watch.bytes_loaded += index.size * size
        region = access.region
        if self.patience is not None and index.size == 1:
            self.patience.look(region.start + int(index.flat[0]) * size)
        clash = region.shadow.on_read(self.program, index, size)
        if clash is not None and not self.watch.has_enough_races():
            self._report(access, clash.kind, clash.other, clash.offset)

    def storing(self, access: Access, size: int, differs: Callable[[], Array]) -> None:
        """Note that the running program is about to write."""
        self.watch.bytes_stored += access.index.size * size
        if self.patience is not None:
            self.patience.progress()
        clash = access.region.shadow.on_write(self.program, access.index, size, differs)
        if clash is not None and not self.watch.has_enough_races():
            self._report(access, clash.kind, clash.other, clash.offset)

    def rewrites(self) -> bool:
        """Whether running it again might give something else: it read what it wrote."""
        return self.atomics or any(
            region.shadow.read and region.shadow.written for region in self.storages.regions
        )

    def _report(self, access: Access, kind: str, other: int, offset: int) -> None:
        programs = sorted([list(self.place(self.program - 1)), list(self.place(other - 1))])
        known = {
            "kernel": self.kernel,
            "kind": kind,
            "programs": programs,
            "tensor": access.region.name,
            "offset": offset,
            "line": line_of_kernel(),
        }
        self.watch.report_race(known)
