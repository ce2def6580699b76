"""Evaluations that methods learn from, kept apart from the verdicts of a run."""

import sqlite3
from datetime import UTC, datetime

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.record import to_json
from kernelbenchx.store.damaged_runs import read_record
from kernelbenchx.store.timings import without_samples

_ADD = """
INSERT OR IGNORE INTO feedback (key, created, submission, task, category, outcome, basic_correct,
                                core_correct, seed, record)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SAME_CONTENT = """
SELECT feedback.record FROM evaluations JOIN feedback USING (key) WHERE content_key = ? LIMIT 1
"""


def add_feedback(connection: sqlite3.Connection, key: str, evaluation: Evaluation) -> None:
    """Under the key of the verdict on the same submission; the first stays."""
    row = (
        key,
        datetime.now(UTC).isoformat(timespec="seconds"),
        evaluation.submission,
        evaluation.task.partition("/")[2],
        evaluation.task.partition("/")[0],
        type(evaluation.outcome).__name__.lower(),
        evaluation.basic_correct,
        evaluation.core_correct,
        evaluation.seed,
        to_json(without_samples(evaluation)).decode(),
    )
    connection.execute(_ADD, row)


def find_feedback(connection: sqlite3.Connection, key: str) -> Evaluation | None:
    """By the key of the verdict; without raw samples."""
    row = connection.execute("SELECT record FROM feedback WHERE key = ?", (key,)).fetchone()
    return read_record(row[0], Evaluation) if row else None


def find_feedback_on(connection: sqlite3.Connection, content_key: str) -> Evaluation | None:
    """By what was judged, under whatever name."""
    row = connection.execute(_SAME_CONTENT, (content_key,)).fetchone()
    return read_record(row[0], Evaluation) if row else None
