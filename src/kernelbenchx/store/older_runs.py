"""Reads a run of an older version as if it had today's tables, without changing it."""

import sqlite3
from contextlib import closing
from functools import cache

from kernelbenchx.store.renames import FIRST_VERSION, OLD_COLUMNS, OLD_TABLES, VALUES
from kernelbenchx.store.schema import DERIVED, VERSION, prepare

TABLES = (
    "evaluations",
    "timings",
    "core_timings",
    "samples",
    "sources",
    "statements",
    "meta",
    "exchanges",
    "trials",
    "pending_requests",
    "not_judged",
    "scopes",
    "feedback",
)


def show_as_current(connection: sqlite3.Connection) -> None:
    """Put a view with today's columns before every table of an older run."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if 0 < version < VERSION:
        for table in TABLES:
            rows = with_derived(table, select_current(connection, "main", table))
            connection.execute(f"CREATE TEMP VIEW {table} AS {rows}")


def select_current(connection: sqlite3.Connection, schema: str, table: str, first: str = "") -> str:
    """A query for every column that the table has today; what a run lacks gets its default."""
    (version,) = connection.execute(f"PRAGMA {schema}.user_version").fetchone()
    there, source = _columns(connection, schema, table), table
    if not there and table in OLD_TABLES:
        source = OLD_TABLES[table]
        there = _columns(connection, schema, source)
    columns = ", ".join(
        f"{_value(table, name, default, there, old=version < FIRST_VERSION)} AS {name}"
        for name, default in current_columns()[table]
    )
    return f"SELECT {first}{columns} " + (f"FROM {schema}.{source}" if there else "WHERE 0")


def with_derived(table: str, rows: str) -> str:
    """The rows of `evaluations` with the columns that follow from others."""
    if table != "evaluations":
        return rows
    derived = ", ".join(f"{what} AS {name}" for name, what in DERIVED.items())
    return f"SELECT *, {derived} FROM ({rows})"


@cache
def current_columns() -> dict[str, list[tuple[str, str | None]]]:
    """The columns of every table today with their defaults, less the derived ones."""
    with closing(sqlite3.connect(":memory:")) as connection:
        prepare(connection)
        return {
            table: [(row[1], row[4]) for row in connection.execute(f"PRAGMA table_info({table})")]
            for table in TABLES
        }


def _columns(connection: sqlite3.Connection, schema: str, table: str) -> set[str]:
    return {row[1] for row in connection.execute(f"PRAGMA {schema}.table_info({table})")}


def _value(table: str, name: str, default: str | None, there: set[str], *, old: bool) -> str:
    before = OLD_COLUMNS.get(name, name)
    if name not in there and before not in there:
        return default or "NULL"
    if old and (table, name) in VALUES:
        return VALUES[table, name]
    return name if name in there else before
