"""Tests that models wrote for their own kernels, and their results."""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime

from kernelbenchx.core.record import to_json
from kernelbenchx.core.trial import Trial
from kernelbenchx.store.damaged_runs import read_record

_ADD = """
INSERT OR IGNORE INTO trials (key, created, task, category, method, step, passed, test, record)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


@dataclass(frozen=True, kw_only=True)
class KeptTrial:
    """A trial and where in which method it was made."""

    key: str
    task: str
    """`category/name`."""
    method: str
    step: str
    test: str
    trial: Trial


def add_trial(connection: sqlite3.Connection, kept: KeptTrial) -> None:
    """The first of a key stays."""
    row = (
        kept.key,
        datetime.now(UTC).isoformat(timespec="seconds"),
        kept.task.partition("/")[2],
        kept.task.partition("/")[0],
        kept.method,
        kept.step,
        int(kept.trial.passed),
        kept.test,
        to_json(kept.trial).decode(),
    )
    connection.execute(_ADD, row)


def find_trial(connection: sqlite3.Connection, key: str) -> Trial | None:
    """By its key."""
    row = connection.execute("SELECT record FROM trials WHERE key = ?", (key,)).fetchone()
    return read_record(row[0], Trial) if row else None
