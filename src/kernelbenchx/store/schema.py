"""The tables of a run, and how an older run is brought up to date."""

import sqlite3

from kernelbenchx.core.errors import BadInput

VERSION = 1

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sources (digest TEXT PRIMARY KEY, source TEXT NOT NULL);
CREATE TABLE statements (task TEXT PRIMARY KEY, statement TEXT NOT NULL);
CREATE TABLE evaluations (
    key TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    submission TEXT NOT NULL,
    task TEXT NOT NULL,
    category TEXT NOT NULL,
    digest TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    stage TEXT NOT NULL,
    composition TEXT NOT NULL,
    provisional INTEGER NOT NULL,
    device TEXT NOT NULL,
    isolation TEXT NOT NULL,
    seconds REAL NOT NULL,
    record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX evaluations_by_task ON evaluations (task, outcome);
"""

MIGRATIONS: dict[int, str] = {}
"""From version n to n + 1."""


def prepare(connection: sqlite3.Connection) -> None:
    """Create the tables, or migrate them; a run of a newer version is refused."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        connection.executescript(f"BEGIN;{TABLES}PRAGMA user_version = {VERSION};COMMIT;")
        return
    if version > VERSION:
        raise BadInput(f"the run has schema {version}, this version knows up to {VERSION}")
    for step in range(version, VERSION):
        connection.executescript(
            f"BEGIN;{MIGRATIONS[step]}PRAGMA user_version = {step + 1};COMMIT;"
        )
