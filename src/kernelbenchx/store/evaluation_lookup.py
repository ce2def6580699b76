"""Reads evaluations of a run: one by its name or the beginning of its key, or the newest of all."""

import difflib
import re
import sqlite3
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.scale import FAILED_AT_SCALE
from kernelbenchx.store.damaged_runs import read_record
from kernelbenchx.store.opening import open_run

SHORTEST_PREFIX = 4
KEY_SHOWN = 10
"""So many digits of a key are enough to name it."""


@dataclass(frozen=True)
class Row:
    """The names of an evaluation, and its outcome in a word."""

    key: str
    task: str
    submission: str
    verdict: str
    created: str

    @property
    def words(self) -> str:
        return f"{self.key[:KEY_SHOWN]} ({self.verdict}, {to_seconds(self.created)})"


@dataclass(frozen=True)
class StoredEvaluation:
    """One evaluation as a run holds it, without its raw samples."""

    run: Path
    key: str
    created: str
    evaluation: Evaluation
    older: tuple[Row, ...] = ()
    """Earlier ones of the same submission's name, newest first."""


def find(run: Path, wanted: str) -> StoredEvaluation:
    """The newest of that name, or the one whose key begins so; else a line that says what there
    is."""
    with open_run(run) as connection:
        first, *older = _match_rows(run, _rows(connection), wanted)
        return _load_evaluation(connection, run, first, older)


def newest(run: Path) -> list[StoredEvaluation]:
    """The newest evaluation of every task and name, in the order in which they were made."""
    with open_run(run) as connection:
        by_name: dict[tuple[str, str], list[Row]] = {}
        for row in _rows(connection):
            by_name.setdefault((row.task, row.submission), []).append(row)
        groups = sorted(by_name.values(), key=lambda rows: rows[0].created)
        return [_load_evaluation(connection, run, first, older) for first, *older in groups]


def not_judged(run: Path) -> Counter[str]:
    """How many rows and files were not judged, by reason."""
    with open_run(run) as connection:
        return Counter(
            dict(connection.execute("SELECT why, count(*) FROM not_judged GROUP BY why"))
        )


def to_seconds(created: str) -> str:
    """A time for reading."""
    return re.sub(r"\.\d+", "", created)


def _rows(connection: sqlite3.Connection) -> list[Row]:
    """Newest first."""
    asked = f"""
        SELECT key, category || '/' || task, submission,
               CASE WHEN outcome = 'correct' AND performance = 'failed'
                    THEN '{FAILED_AT_SCALE}' ELSE outcome END, created
        FROM evaluations ORDER BY created DESC, key
    """
    return [Row(*row) for row in connection.execute(asked)]


def _load_evaluation(
    connection: sqlite3.Connection, run: Path, row: Row, older: list[Row]
) -> StoredEvaluation:
    found = connection.execute(
        "SELECT record FROM evaluations WHERE key = ?", (row.key,)
    ).fetchone()
    if found is None:
        raise sqlite3.DatabaseError(f"the index does not find the row {row.key}")
    return StoredEvaluation(
        run, row.key, row.created, read_record(found[0], Evaluation), tuple(older)
    )


def _match_rows(run: Path, rows: list[Row], wanted: str) -> list[Row]:
    hits = [row for row in rows if row.submission == wanted]
    if hits:
        return _of_one_task(run, hits)
    if len(wanted) >= SHORTEST_PREFIX:
        hits = [row for row in rows if row.key.startswith(wanted)]
    if not hits:
        near = difflib.get_close_matches(wanted, {row.submission for row in rows}, n=3)
        hint = f"; did you mean {', '.join(near)}?" if near else _example(run, rows)
        raise BadInput(f"nothing in {run} is called {wanted!r}{hint}")
    if len(hits) > 1:
        keys = ", ".join(row.words for row in hits[:5]) + (", …" if len(hits) > 5 else "")
        raise BadInput(f"{len(hits)} keys in {run} begin with {wanted!r}: {keys}")
    return hits


def _of_one_task(run: Path, hits: list[Row]) -> list[Row]:
    newest_of = {row.task: row for row in reversed(hits)}
    if len(newest_of) > 1:
        keys = ", ".join(f"{task} {row.words}" for task, row in sorted(newest_of.items()))
        raise BadInput(f"{run} holds {hits[0].submission!r} for several tasks: give a key, {keys}")
    return hits


def _example(run: Path, rows: list[Row]) -> str:
    return f"; for example: kbx show {run} {rows[0].submission}" if rows else ""
