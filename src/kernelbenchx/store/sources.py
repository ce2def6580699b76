"""Sources of submissions by their digest, from several runs."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.layout import RunFolder

_AT_ONCE = 500
"""SQLite takes no more than a thousand values in one statement everywhere."""


def read_sources(runs: Sequence[Path], digests: Iterable[str]) -> dict[str, str]:
    """Those of the wanted sources that are there."""
    missing = sorted(set(digests))
    found: dict[str, str] = {}
    for run in runs:
        folder = RunFolder.existing(run)
        address = f"file:{quote(str(folder.database.resolve()))}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True)) as connection:
                found.update(_read(connection, [one for one in missing if one not in found]))
        except sqlite3.Error as error:
            raise BadInput(f"{folder.database} is not a run: {error}") from error
    return found


def _read(connection: sqlite3.Connection, digests: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for start in range(0, len(digests), _AT_ONCE):
        some = digests[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(some))
        asked = f"SELECT digest, source FROM sources WHERE digest IN ({marks})"
        found.update(connection.execute(asked, some))
    return found
