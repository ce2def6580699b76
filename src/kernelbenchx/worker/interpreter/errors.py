"""Errors of a kernel while it is interpreted, including features that are not supported."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

__all__ = [
    "AmbiguousTruth",
    "DeviceAssertion",
    "NotInterpretable",
    "NotTriton",
    "OutOfBounds",
    "Unsupported",
    "Waiting",
    "line_of_kernel",
]


class Unsupported(RuntimeError):
    """This process cannot interpret: another Triton, or TRITON_INTERPRET is not set."""


class NotInterpretable(RuntimeError):
    """The kernel uses something that only a device can execute, such as inline assembly."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} needs a GPU: it cannot be interpreted")
        self.what = what


class NotTriton(RuntimeError):
    """The body of a kernel is Python that no compiler would take."""


class OutOfBounds(RuntimeError):
    """A lane that no mask switched off reached outside the tensor it points into."""


class DeviceAssertion(AssertionError):
    """A `tl.device_assert` of the kernel failed."""


class AmbiguousTruth(ValueError):
    """A block of several values was used as a condition; a compiler refuses that."""


class Waiting(BaseException):
    """A program waits for another one; never leaves this package.

    Not an `Exception`, so that nothing in a kernel can catch it by accident.
    """


_OWN = (str(Path(__file__).parent), "<")


def _is_foreign(frame: FrameType) -> bool:
    name = frame.f_code.co_filename
    return not name.startswith(_OWN) and "/triton/" not in name and "/numpy/" not in name


def line_of_kernel() -> int | None:
    """Line of the kernel's file that is running now, None where there is no such file."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if _is_foreign(frame):
            return frame.f_lineno
        frame = frame.f_back
    return None
