"""Finished pairs of kernel and seed, in a SQLite file that several processes may share."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from kernelbenchx.core.errors import BadInput

_WAIT_S = 60.0
"""How long one process waits for another that writes."""


class Verdicts:
    """Verdicts by the key of an evaluation, which names kernel, task, judge and versions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute(
            "CREATE TABLE IF NOT EXISTS verdicts"
            " (key TEXT, seed INTEGER, verdict TEXT NOT NULL, PRIMARY KEY (key, seed))"
        )

    def find(self, key: str, seed: int) -> str | None:
        """The verdict, if that pair is finished."""
        asked = "SELECT verdict FROM verdicts WHERE key = ? AND seed = ?"
        row = self._connection.execute(asked, (key, seed)).fetchone()
        return None if row is None else str(row[0])

    def add(self, key: str, seed: int, verdict: str) -> None:
        """Keep one; it is on disk when this returns."""
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?)", (key, seed, verdict)
            )


@contextmanager
def open_verdicts(path: Path) -> Iterator[Verdicts]:
    """Opens the file, or makes a new one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=_WAIT_S)) as connection:
            yield Verdicts(connection)
    except (OSError, sqlite3.DatabaseError) as error:
        raise BadInput(f"{path}: cannot keep verdicts there: {error}") from error
