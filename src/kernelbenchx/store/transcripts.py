"""The transcript of a run, open for reading: requests and replies of a task."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kernelbenchx.store.raw_records import reading

_REQUESTS = """
SELECT key, step FROM exchanges WHERE category = ? AND task = ? ORDER BY created, key
"""

_STEPS = """
SELECT DISTINCT json_extract(record, '$.origin.step') FROM evaluations
WHERE category = ? AND task = ?
"""


@dataclass(frozen=True)
class Transcript:
    """Exchanges by key, as JSON."""

    connection: sqlite3.Connection

    def holds_any(self) -> bool:
        """Runs without a model hold none."""
        return self.connection.execute("SELECT 1 FROM exchanges LIMIT 1").fetchone() is not None

    def requests(self, task: str) -> list[tuple[str, str]]:
        """Key and step of everything that was asked for a task, in the order of time."""
        category, _, name = task.partition("/")
        return self.connection.execute(_REQUESTS, (category, name)).fetchall()

    def steps(self, task: str) -> set[str]:
        """Where in its method each submission for a task was written."""
        category, _, name = task.partition("/")
        found = self.connection.execute(_STEPS, (category, name))
        return {step for (step,) in found if step}

    def exchanges(self, keys: Sequence[str]) -> Iterator[str]:
        """In the order of the keys."""
        for key in keys:
            found = self.connection.execute("SELECT record FROM exchanges WHERE key = ?", (key,))
            yield from (record for (record,) in found)


@contextmanager
def reading_transcript(run: Path) -> Iterator[Transcript]:
    """Open a run without changing it; the caller may hand it to another thread."""
    with reading(run) as opened:
        yield Transcript(opened.connection)
