"""How far a child's programs came, in memory that it shares with the zygote.

An interpreter is slow by nature. Time of programs that ended is no sign of a kernel that hangs, and
is counted apart. The child could write anything here: it gains time up to a limit, and nothing
else.
"""

import mmap
import struct
import time
from typing import NamedTuple

_LAYOUT = struct.Struct("=QQ")
_UNDEFINED_AT = _LAYOUT.size
_CALL = struct.Struct("=QQQQ")
_CALL_AT = 64
_PER_SECOND = 1_000_000


class CallAccount(NamedTuple):
    """The current call, in CPU seconds of the child."""

    number: int
    """From 1 on; 0 while no call is made."""
    since_s: float
    """CPU time of the child when the call began."""
    programs_before_s: float
    """CPU time of programs that had ended before the call."""
    slowest_s: float
    """CPU time of the slowest call that ended."""


class Progress:
    """Programs that ended, the CPU time that they took, and the current call."""

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, mmap.PAGESIZE)
        self._since = 0.0

    @property
    def programs(self) -> int:
        """How many programs ended."""
        return int(_LAYOUT.unpack_from(self._page)[0])

    @property
    def seconds(self) -> float:
        """CPU time of those that ended."""
        return float(_LAYOUT.unpack_from(self._page)[1]) / _PER_SECOND

    @property
    def undefined(self) -> bool:
        """Whether a load left lanes undefined, also in a call that never ended."""
        return self._page[_UNDEFINED_AT] != 0

    def note_undefined(self) -> None:
        """Note that a load masked lanes off without saying what they hold."""
        self._page[_UNDEFINED_AT] = 1

    @property
    def call(self) -> CallAccount:
        """The current call."""
        number, *times = _CALL.unpack_from(self._page, _CALL_AT)
        return CallAccount(int(number), *(float(one) / _PER_SECOND for one in times))

    def begin_call(self, number: int) -> None:
        """A call starts, and the one before has ended; 0 after the last."""
        now = int(time.process_time() * _PER_SECOND)
        before, since, _, slowest = _CALL.unpack_from(self._page, _CALL_AT)
        slowest = max(slowest, now - since) if before else slowest
        spent = _LAYOUT.unpack_from(self._page)[1]
        _CALL.pack_into(self._page, _CALL_AT, number, now, spent, slowest)

    def begin(self) -> None:
        """Begin a launch."""
        self._since = time.process_time()

    def program_ended(self) -> None:
        """Count one program and the time since the last one, or since the launch began."""
        now = time.process_time()
        programs, spent = _LAYOUT.unpack_from(self._page)
        spent += int((now - self._since) * _PER_SECOND)
        _LAYOUT.pack_into(self._page, 0, programs + 1, spent)
        self._since = now


_current = Progress()


def begin_child() -> Progress:
    """A fresh account, which the child that is forked next will write."""
    global _current
    _current = Progress()
    return _current


def current() -> Progress:
    """Account of this process."""
    return _current
