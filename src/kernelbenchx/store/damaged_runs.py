"""Error messages for damaged runs: a bad disk, or another program wrote to them."""

import sqlite3
import threading
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import from_json

R = TypeVar("R")
_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class DamagedRecord(msgspec.DecodeError):
    """A record that this version could not have written."""


def read_record(data: bytes | str, kind: type[R]) -> R:
    """A record that a run holds."""
    try:
        return from_json(data, kind)
    except (msgspec.DecodeError, TypeError) as error:
        raise DamagedRecord(str(error)) from error


class RunLock:
    """One thread at a time; an unreadable run gives an error in one line."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()
        if isinstance(error, DamagedRecord):
            was = "was written by another version or is damaged"
            raise BadInput(f"{self._database} {was}: {error}") from error
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _CODES:
            raise BadInput(f"{self._database} is damaged: {error}") from error
