"""Finds one evaluation of a run, by the submission's name or the beginning of its key."""

import difflib
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.record import from_json
from kernelbenchx.store.layout import RunFolder

SHORTEST_PREFIX = 4
KEY_SHOWN = 10
"""So many digits of a key are enough to name it."""


@dataclass(frozen=True)
class Kept:
    """One evaluation as a run holds it, without its raw samples."""

    run: Path
    key: str
    created: str
    evaluation: Evaluation


@dataclass(frozen=True)
class _Row:
    key: str
    submission: str
    stage: str
    device: str

    @property
    def words(self) -> str:
        return f"{self.key[:KEY_SHOWN]} ({self.stage} on {self.device})"


def find(run: Path, wanted: str | None) -> Kept:
    """Exactly one, or a line that says what there is to choose from; changes nothing."""
    folder = RunFolder.existing(run)
    address = f"file:{quote(str(folder.database.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            rows = connection.execute("SELECT key, submission, stage, device FROM evaluations")
            key = _chosen(run, [_Row(*row) for row in rows], wanted).key
            created, record = connection.execute(
                "SELECT created, record FROM evaluations WHERE key = ?", (key,)
            ).fetchone()
            return Kept(run, key, created, from_json(record, Evaluation))
    except sqlite3.Error as error:
        raise BadInput(f"{folder.database} is not a run: {error}") from error
    except msgspec.ValidationError as error:
        raise BadInput(f"{folder.database} was written by another version: {error}") from error


def _chosen(run: Path, rows: list[_Row], wanted: str | None) -> _Row:
    if wanted is None:
        hits = rows
        if len(hits) != 1:
            raise BadInput(f"{run} holds {len(rows)} evaluations: name one{_example(run, rows)}")
        return hits[0]
    hits = [row for row in rows if row.submission == wanted]
    if not hits and len(wanted) >= SHORTEST_PREFIX:
        hits = [row for row in rows if row.key.startswith(wanted)]
    if not hits:
        near = difflib.get_close_matches(wanted, {row.submission for row in rows}, n=3)
        hint = f"; did you mean {', '.join(near)}?" if near else _example(run, rows)
        raise BadInput(f"nothing in {run} is called {wanted!r}{hint}")
    if len(hits) > 1:
        keys = ", ".join(row.words for row in hits[:5]) + (", …" if len(hits) > 5 else "")
        raise BadInput(f"{run} holds {len(hits)} evaluations of {wanted!r}: give a key, {keys}")
    return hits[0]


def _example(run: Path, rows: list[_Row]) -> str:
    return f"; for example: kbx show {run} {rows[0].submission}" if rows else ""
