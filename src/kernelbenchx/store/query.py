"""Read-only SQL over one or several runs."""

import math
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.opening import UNREADABLE, readable_address
from kernelbenchx.store.packed_run import DATABASE
from kernelbenchx.store.schema import TABLES, prepare, refuse_other_schema

_KINDS = {"TEXT": "text", "INTEGER": "whole", "REAL": "number"}
_STEPS = 10_000
"""Of SQLite's virtual machine, between two looks at the clock."""
_MOST_BYTES = 1 << 28
"""Of one value: a single function may not fill the memory."""
_FLAGS = frozenset(("provisional", "basic_correct", "core_correct", "solved", "overhead_bound"))
"""Columns of whole numbers that are 0 or 1."""


@dataclass(frozen=True)
class QueryResult:
    """Column names and rows."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def ask(runs: Sequence[Path], sql: str, limit_s: float | None = None) -> QueryResult:
    """The answer to one statement; every table has a first column `run`.

    What takes longer than `limit_s` is refused.
    """
    with ExitStack() as kept:
        connection = kept.enter_context(closing(sqlite3.connect("file::memory:", uri=True)))
        addresses = [
            (_name(path), kept.enter_context(readable_address(RunFolder.existing(path))))
            for path in runs
        ]
        try:
            _attach(connection, addresses)
            connection.execute("PRAGMA query_only = ON")
            connection.set_authorizer(_only_reading)
            with _time_limit(connection, limit_s):
                cursor = connection.execute(sql)
                if cursor.description is None:
                    raise BadInput("the query gives no rows; only SELECT is allowed")
                return QueryResult(tuple(one[0] for one in cursor.description), cursor.fetchall())
        except UNREADABLE as error:
            raise BadInput(f"SQL: {error}") from error


@contextmanager
def _time_limit(connection: sqlite3.Connection, limit_s: float | None) -> Iterator[None]:
    """Ends a query that takes too long. A signal ends it, too: its handler runs with the clock."""
    ends = math.inf if limit_s is None else time.monotonic() + limit_s
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
    connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_INTERRUPT:
            raise
        if time.monotonic() > ends:
            raise BadInput(
                f"SQL: not finished within {limit_s:g} s; `time_limit` gives it more"
            ) from error
        raise KeyboardInterrupt from error


def column_kinds(table: str) -> dict[str, str]:
    """Every column of a table with its kind: `text`, `whole`, `number` or `flag`.

    Records as JSON are left out: `evaluations` has their content in columns.
    """
    if table not in TABLES:
        raise BadInput(f"unknown table {table!r}; choose one of {', '.join(TABLES)}")
    with closing(sqlite3.connect(":memory:")) as connection:
        prepare(connection)
        found = connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
    kinds = {
        name: "flag" if name in _FLAGS else _KINDS[kind.split()[0]]
        for _, name, kind, *_ in found
        if (table, name) != ("evaluations", "record")
    }
    return {"run": "text"} | kinds


def _name(path: Path) -> str:
    """Of a run in rows: its folder, or the file that it is."""
    return str(path.parent if path.name == DATABASE and path.is_file() else path)


def _attach(connection: sqlite3.Connection, runs: Sequence[tuple[str, str]]) -> None:
    for number, (name, address) in enumerate(runs):
        # Without the URI form an attached file would be opened for writing.
        connection.execute("ATTACH DATABASE ? AS " + f"run{number}", (address,))
        refuse_other_schema(connection, name, f"run{number}")
    for table in TABLES:
        parts = [
            f"SELECT {_quote(name)} AS run, * FROM run{number}.{table}"
            for number, (name, _) in enumerate(runs)
        ]
        connection.execute(f"CREATE TEMP VIEW {table} AS {' UNION ALL '.join(parts)}")


def _quote(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _only_reading(action: int, *_details: Any) -> int:
    allowed = (
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    )
    return sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY
