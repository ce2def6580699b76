"""Finds programs of one launch that race: which program accessed which byte.

Reads of a storage that nothing writes are by far the most frequent, so they are only noted down;
the bookkeeping by element starts with the first write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .dtypes import Array
from .ordering import Ordering

__all__ = ["Clash", "Shadow"]

_NOTED_LIMIT = 1 << 20
"""Elements of noted reads after which they are folded into the tables, to bound memory."""


class Clash(NamedTuple):
    """Two programs that accessed one place without an order between them."""

    kind: str
    other: int
    """Segment of the program that accessed it before."""
    offset: int
    """Bytes from the start of the storage."""


class _ReadAccess(NamedTuple):
    segment: int
    size: int
    places: Array


class Shadow:
    """Last writer and two readers of each element of a storage, by segment of a program."""

    def __init__(self, nbytes: int, itemsize: int, order: Ordering) -> None:
        self._order = order
        self._nbytes = nbytes
        self._grain = itemsize
        self._noted: list[_ReadAccess] = []
        self._noted_elements = 0
        self._writer: Array | None = None
        self._reader: Array | None = None
        self._other: Array | None = None
        self.read = False
        self.written = False

    def on_read(self, index: Array, size: int) -> Clash | None:
        """Note a read; returns the clash with an earlier write, if any."""
        self.read = True
        if self._writer is None:
            self._note(_ReadAccess(self._order.segment, size, index))
            return None
        cells = self._cells(index, size)
        self._mark_read(self._order.segment, cells, live=True)
        writers = self._writer[cells]
        if not writers.any():
            return None
        clash = self._order.meets(writers)
        return self._report("read-write", cells, clash, writers) if clash.any() else None

    def on_write(self, index: Array, size: int, differs: Callable[[], Array]) -> Clash | None:
        """Note a write before it happens; `differs` marks the values it will alter."""
        self.written = True
        self._open()
        assert self._writer is not None
        cells = self._cells(index, size)
        clash = self._meets_reader(cells)
        writers = self._writer[cells]
        if clash is None and writers.any():
            met = self._order.meets(writers)
            if met.any():
                met &= self._spread(differs(), cells)
                clash = self._report("write-write", cells, met, writers) if met.any() else None
        self._writer[cells] = self._order.segment
        return clash

    def _note(self, read: _ReadAccess) -> None:
        self._noted.append(read)
        self._noted_elements += read.places.size
        if self._noted_elements > _NOTED_LIMIT:
            self._fold()

    def _open(self) -> None:
        if self._writer is None:
            self._fold()
            self._writer = np.zeros(self._count(), dtype=np.int32)

    def _count(self) -> int:
        return -(-self._nbytes // self._grain)

    def _fold(self) -> None:
        if self._noted:
            for read in self._noted:
                self._mark_read(read.segment, self._cells(read.places, read.size))
            self._noted.clear()
            self._noted_elements = 0

    def _mark_read(self, segment: int, cells: Array, *, live: bool = False) -> None:
        """Note a read by element.

        `live`: the running program reads now. A read that was only noted has lost its order.
        """
        if self._reader is None:
            self._reader = np.zeros(self._count(), dtype=np.int32)
        readers = self._reader[cells]
        if not readers.any():
            self._reader[cells] = segment
            return
        given_way = readers == 0
        if live and self._order.is_after_others:
            # What is ordered after this reader is ordered after those before it, too.
            given_way |= self._order.before(readers)
        self._reader[cells[given_way]] = segment
        second = ~given_way & (readers != segment)
        if second.any():
            if self._other is None:
                self._other = np.zeros(self._count(), dtype=np.int32)
            self._other[cells[second]] = segment

    def _meets_reader(self, cells: Array) -> Clash | None:
        for table in (self._reader, self._other):
            if table is None:
                continue
            readers = table[cells]
            clash = self._order.meets(readers)
            if clash.any():
                return self._report("read-write", cells, clash, readers)
        return None

    def _report(self, kind: str, cells: Array, clash: Array, others: Array) -> Clash:
        first = int(np.flatnonzero(clash)[0])
        return Clash(kind, int(others[first]), int(cells[first]) * self._grain)

    def _cells(self, index: Array, size: int) -> Array:
        flat = index.reshape(-1)
        if size == self._grain:
            return flat
        if size < self._grain:
            self._refine(size)
            return flat
        parts = size // self._grain
        return (flat[:, None] * parts + np.arange(parts)).reshape(-1)

    def _spread(self, changed: Array, cells: Array) -> Array:
        flat = changed.reshape(-1)
        return flat if flat.size == cells.size else np.repeat(flat, cells.size // flat.size)

    def _refine(self, size: int) -> None:
        """Count in smaller pieces from now on."""
        parts = self._grain // size
        self._grain = size
        tables = (self._writer, self._reader, self._other)
        self._writer, self._reader, self._other = (
            None if table is None else np.repeat(table, parts)[: self._count()] for table in tables
        )
