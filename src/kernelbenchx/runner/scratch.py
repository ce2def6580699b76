"""Private folders for orders and results, and reading back without trusting what is there."""

import fcntl
import os
import stat
import tempfile
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import IO

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.worker.job import remove_folder

_PREFIX, _OWNER = "kbx-", "owner"


class OversizedResult(Exception):
    """The worker wrote more than it may; nothing of it was read."""


class Scratch:
    """A folder that only this user can enter, removed at the end.

    A killed process removes nothing, so the next process removes what it left. A living process
    holds a lock, which ends with the process however that ends.
    """

    def __init__(self, *, where: Path | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix=_PREFIX, dir=where)
        self.path = Path(self._folder.name)
        self._lock = _lock_as_owner(self.path)
        remove_abandoned(self.path.parent)

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()
        self._lock.close()

    def order(self, name: str, data: bytes) -> Path:
        """Write what a worker is to read."""
        path = self.path / f"{name}.order"
        path.write_bytes(data)
        return path

    def result(self, name: str) -> Path:
        """Where a worker's result will be; it does not exist yet."""
        return self.path / f"{name}.result"


def _lock_as_owner(folder: Path) -> IO[bytes]:
    """Lock the owner's file before it gets its name: it is never found without its owner."""
    made = folder / f".{_OWNER}"
    lock = made.open("xb")
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    made.rename(folder / _OWNER)
    return lock


@cache
def remove_abandoned(parent: Path) -> None:
    """Remove what killed processes of this user left here, once per folder."""
    for folder in parent.glob(f"{_PREFIX}*"):
        if _is_abandoned(folder):
            remove_folder(str(folder))


def _is_abandoned(folder: Path) -> bool:
    try:
        if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
            return False
        descriptor = os.open(folder / _OWNER, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def read_result(path: Path, *, limit_bytes: int) -> bytes:
    """The bytes a worker wrote, after it has ended; refuses links, devices and oversize."""
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
