"""Opens runs for reading: without write permission, on read-only disks, whole or packed."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.schema import refuse_other_schema

UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""The second where a message of SQLite quotes what was damaged."""


@contextmanager
def open_run(run: Path, *, any_thread: bool = False) -> Iterator[sqlite3.Connection]:
    """A read-only connection; an unreadable run gives an error in one line."""
    folder = RunFolder.existing(run)
    try:
        with (
            readable_address(folder) as address,
            closing(_connect(address, any_thread=any_thread)) as connection,
        ):
            refuse_other_schema(connection, run)
            yield connection
    except UNREADABLE as error:
        raise BadInput(f"{folder.database} is not a run: {error}") from error
    except msgspec.DecodeError as error:
        raise BadInput(f"{folder.database} was written by another version: {error}") from error


@contextmanager
def readable_address(folder: RunFolder) -> Iterator[str]:
    """A URI that SQLite can open here.

    SQLite opens a run only if it can write files beside it. Where it cannot, nothing changes the
    run unless its log is there; then both are copied, since the log holds the newest results.
    """
    plain = f"{_uri(folder.database)}?mode=ro"
    if _can_be_read(plain):
        yield plain
    elif not _has_log(folder.database):
        yield f"{_uri(folder.database)}?mode=ro&immutable=1"
    else:
        with tempfile.TemporaryDirectory(prefix="kbx-run-") as copy:
            for part in (folder.database, _log_of(folder.database)):
                shutil.copyfile(part, Path(copy) / part.name)
            yield f"{_uri(Path(copy) / folder.database.name)}?mode=ro"


def _connect(address: str, *, any_thread: bool) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, check_same_thread=not any_thread)


def _can_be_read(address: str) -> bool:
    """False only where SQLite lacks a place to write."""
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.execute("PRAGMA user_version").fetchone()
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        codes = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
        return error.sqlite_errorcode & 0xFF not in codes
    except UNREADABLE:
        return True  # not a database: opening it says so
    return True


def _uri(database: Path) -> str:
    return f"file:{quote(str(database.resolve()))}"


def _log_of(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")


def _has_log(database: Path) -> bool:
    log = _log_of(database)
    return log.is_file() and log.stat().st_size > 0
