"""Private folders for orders and results, and reading back without trusting what is there."""

import os
import stat
import tempfile
from pathlib import Path
from types import TracebackType

from kernelbenchx.core.errors import EvaluatorFault


class OversizedResult(Exception):
    """The worker wrote more than it may; nothing of it was read."""


class Scratch:
    """A folder that only we can enter, removed at the end."""

    def __init__(self, *, where: Path | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="kbx-", dir=where)
        self.path = Path(self._folder.name)

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def order(self, name: str, data: bytes) -> Path:
        """Write what a worker is to read."""
        path = self.path / f"{name}.order"
        path.write_bytes(data)
        return path

    def result(self, name: str) -> Path:
        """Where a worker's result will be; not there yet."""
        return self.path / f"{name}.result"


def read_result(path: Path, *, limit_bytes: int) -> bytes:
    """The bytes a worker wrote, after it is gone; refuses links, devices and oversize."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise EvaluatorFault(f"{path.name}: {error.strerror}") from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise EvaluatorFault(f"{path.name}: not a regular file")
        if status.st_size > limit_bytes:
            raise OversizedResult(f"{status.st_size} bytes, {limit_bytes} allowed")
        return file.read(limit_bytes)
