"""Order between programs that atomics establish, by acquire and release.

A program's accesses are cut into segments: one ends with each release. A program that acquires at
the same address knows the segments that were released there, and is ordered after them. Programs
run one by one, so this order holds for the order in which they ran; another order is tried as well.
"""

from __future__ import annotations

import numpy as np

from .dtypes import Array

__all__ = ["Ordering"]


class Ordering:
    """Segments of one launch; numbers start at 1, with one segment for each program first."""

    def __init__(self, programs: int) -> None:
        self._programs = programs
        self._owner: dict[int, int] = {}
        self._released: dict[int, int] = {}
        """Segments known at an address, as bits of a number."""
        self._known = 0
        self._table: Array | None = None
        self.segment = 0
        """Segment of the running program."""
        self.used = False
        """Whether accesses met that only atomics keep apart."""

    def forget(self) -> None:
        """Forget all segments: the launch starts again."""
        self._owner.clear()
        self._released.clear()

    def begin(self, program: int) -> None:
        """Begin a program, numbered from 1: it is ordered after no other."""
        self.segment = program
        self._known = 0
        self._table = None

    def acquire(self, address: int) -> None:
        """Order the program after everything that was released at an address."""
        released = self._released.get(address, 0)
        if released | self._known != self._known:
            self._known |= released
            self._table = None

    def release(self, address: int) -> None:
        """Order later acquires at this address after everything so far."""
        program = self.program_of(self.segment)
        self._known |= 1 << self.segment
        self._released[address] = self._released.get(address, 0) | self._known
        self.segment = self._programs + len(self._owner) + 1
        self._owner[self.segment] = program
        self._table = None

    def program_of(self, segment: int) -> int:
        """Program that a segment belongs to."""
        return self._owner.get(segment, segment)

    @property
    def is_after_others(self) -> bool:
        """Whether the running program is ordered after anything."""
        return self._known != 0

    def meets(self, segments: Array) -> Array:
        """Which of these segments are neither the running one nor ordered before; 0 means none."""
        met: Array = (segments != 0) & (segments != self.segment)
        if not self.is_after_others or not met.any():
            return met
        ordered = met & self.before(segments)
        if not ordered.any():
            return met
        mine = [s for s in np.unique(segments[ordered]) if self.program_of(int(s)) == self._own()]
        self.used = self.used or not np.isin(segments[ordered], mine).all()
        return met & ~ordered

    def before(self, segments: Array) -> Array:
        """Which of these segments are ordered before the next access."""
        if self._table is None:
            count = self._programs + len(self._owner) + 1
            octets = self._known.to_bytes(count // 8 + 1, "little")
            bits = np.unpackbits(np.frombuffer(octets, dtype=np.uint8), bitorder="little")
            self._table = bits.astype(bool)
        table: Array = self._table
        found: Array = table[segments]
        return found

    def _own(self) -> int:
        return self.program_of(self.segment)
