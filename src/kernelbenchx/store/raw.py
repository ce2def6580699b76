"""Records of a run as they lie there, many at once and without decoding them."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.layout import RunFolder

_SAMPLES = """
SELECT key, json_group_array(json(comparison)) FROM (
    SELECT key, json_object('case', case_name, 'baseline', baseline, 'clock', clock, 'tier', tier,
        'rows', json_group_array(
            json_array(pair, block, round(candidate_us, 4), round(baseline_us, 4)))) AS comparison
    FROM samples WHERE key IN ({keys}) GROUP BY key, case_name, baseline, clock, tier)
GROUP BY key
"""
_RECORDS = "SELECT key, created, json(record) FROM evaluations WHERE key IN ({keys})"
_SOURCES = "SELECT digest, source FROM sources WHERE digest IN ({keys})"
_REACHED = """
SELECT key, case_name, overhead_bound, gb_per_s, tflops, score, speedup, speedup_low, speedup_high
FROM timings WHERE baseline = 'eager' AND clock = 'device' AND key IN ({keys})
"""
_CARDS = """
SELECT DISTINCT json_extract(record, '$.performance.card') FROM evaluations WHERE key IN ({keys})
"""
MOST_KEYS = 500
"""In one statement; SQLite has a limit."""


@dataclass(frozen=True, slots=True)
class Reached:
    """What one timing case reached, by device time against eager."""

    case: str
    overhead_bound: bool
    gb_per_s: float
    tflops: float
    score: float
    speedup: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Raw:
    """One evaluation; both texts are JSON that SQLite has looked through."""

    created: str
    record: str
    samples: str


@dataclass(frozen=True)
class RawRun:
    """A run, open for reading."""

    connection: sqlite3.Connection

    def evaluations(self, keys: Sequence[str]) -> dict[str, Raw]:
        """By key; unknown keys are left out."""
        samples = dict(self._rows(_SAMPLES, keys)) if self._timed() else {}
        return {
            key: Raw(created, record, samples.get(key, "[]"))
            for key, created, record in self._rows(_RECORDS, keys)
        }

    def sources(self, digests: Sequence[str]) -> dict[str, str]:
        """By digest."""
        return dict(self._rows(_SOURCES, digests))

    def statements(self) -> dict[str, str]:
        """What each task said, as JSON."""
        return dict(self.connection.execute("SELECT task, json(statement) FROM statements"))

    def reached(self, keys: Sequence[str]) -> Iterator[tuple[str, Reached]]:
        """Every timing case of these evaluations with the key it belongs to."""
        for key, case, bound, *numbers in self._rows(_REACHED, keys):
            yield key, Reached(case, bool(bound), *numbers)

    def cards(self, keys: Sequence[str]) -> set[str]:
        """Cards on which these were timed, with their measured peaks, as JSON."""
        return {card for (card,) in self._rows(_CARDS, keys) if card}

    def _timed(self) -> bool:
        """Runs of the first schema hold no times."""
        return bool(self.connection.execute("PRAGMA table_info(samples)").fetchone())

    def _rows(self, sql: str, keys: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for at in range(0, len(keys), MOST_KEYS):
            part = keys[at : at + MOST_KEYS]
            yield from self.connection.execute(sql.format(keys=", ".join("?" * len(part))), part)


@contextmanager
def reading(run: Path) -> Iterator[RawRun]:
    """Open a run without changing it."""
    folder = RunFolder.existing(run)
    address = f"file:{quote(str(folder.database.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            yield RawRun(connection)
    except sqlite3.Error as error:
        raise BadInput(f"{folder.database} is not a run: {error}") from error
