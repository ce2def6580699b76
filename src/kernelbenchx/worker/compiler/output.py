"""Captures what compilers print, to keep it out of the log: a failing ptxas prints much."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TextIO

_CAP_BYTES = 64 * 1024
"""The first error stands near the start; a dump of the intermediate code follows."""


class Output:
    """What was printed while it was captured."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def text(self) -> str:
        """The start of the output, up to a cap."""
        self._file.flush()
        return os.pread(self._file.fileno(), _CAP_BYTES, 0).decode(errors="replace")


@contextmanager
def capture_output() -> Iterator[Output]:
    """Capture standard output and error, of this process and of those that it starts."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    with tempfile.TemporaryFile("w+", errors="replace") as file:
        saved = [(descriptor, os.dup(descriptor)) for descriptor in (1, 2)]
        try:
            for descriptor, _ in saved:
                os.dup2(file.fileno(), descriptor)
            with redirect_stdout(file), redirect_stderr(file):
                yield Output(file)
            file.flush()
        finally:
            for descriptor, copy in saved:
                os.dup2(copy, descriptor)
                os.close(copy)
