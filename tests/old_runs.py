"""Runs as earlier versions wrote them."""

import sqlite3
from pathlib import Path

from kernelbenchx.core.record import to_json
from samples import evaluation

VERSION_1 = """
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
PRAGMA user_version = 1;
"""


def write_version_1(folder: Path, key: str = "k1") -> None:
    """A run without times, with one correct submission called `earlier`."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / "run.sqlite")
    connection.executescript(VERSION_1)
    row = (key, "2026-01-01T00:00:00+00:00", "earlier", "relu", "activation", "d" * 64, "correct",
           "", "exe", "pure", 1, "interpreter", "L3", 0.25,
           to_json(evaluation("earlier")).decode())  # fmt: skip
    connection.execute(f"INSERT INTO evaluations VALUES ({', '.join('?' * len(row))})", row)
    connection.commit()
    connection.close()
