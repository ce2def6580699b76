"""Records of a run as they lie there, many at once and without decoding them."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import Struct

from kernelbenchx.store.opening import open_run
from kernelbenchx.store.timings import key_with_samples

# Whole numbers: they are written in less time and space than fractions.
_SAMPLES = """
SELECT case_name, baseline, clock, tier, pair, block,
       CAST(candidate_us * 10000 + 0.5 AS INTEGER), CAST(baseline_us * 10000 + 0.5 AS INTEGER)
FROM samples WHERE key = ?
"""
# Records are long: looked up one by one, their pages would be read many times over.
_RECORDS = """
SELECT key, created, CAST(record AS BLOB), performance
FROM evaluations WHERE place(key) IS NOT NULL ORDER BY place(key)
"""
_JUST_RECORDS = "SELECT key, record FROM evaluations WHERE key IN ({keys})"
_SOURCES = "SELECT digest, source FROM sources WHERE digest IN ({keys})"
_REACHED = """
SELECT key, case_name, overhead_bound, gb_per_s, tflops, mfu, score,
       speedup, speedup_low, speedup_high
FROM timings WHERE baseline = 'eager' AND clock = 'device' AND key IN ({keys})
"""
_GPUS = """
SELECT DISTINCT json_extract(record, '$.performance.gpu') FROM evaluations WHERE key IN ({keys})
"""
MOST_KEYS = 500
"""In one statement; SQLite has a limit."""


@dataclass(frozen=True, slots=True)
class ReachedSpeed:
    """What one timing case reached, by device time against eager."""

    case: str
    overhead_bound: bool
    gb_per_s: float
    tflops: float
    mfu: float
    score: float
    speedup: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RawEvaluation:
    """One evaluation, its record as JSON."""

    key: str
    created: str
    record: bytes
    samples: tuple["RawSamples", ...]


class RawSamples(Struct, frozen=True, gc=False):
    """Samples of one comparison."""

    case: str
    baseline: str
    clock: str
    tier: str
    rows: Sequence[tuple[int | None, ...]]
    """Pair, block, candidate and baseline in tenths of a nanosecond."""


@dataclass(frozen=True)
class RawRun:
    """A run, open for reading."""

    connection: sqlite3.Connection

    def evaluations(self, keys: Iterable[str]) -> Iterator[RawEvaluation]:
        """In the order of the keys, in one pass over the run; unknown keys are left out."""
        places = {key: at for at, key in enumerate(keys)}
        self.connection.create_function("place", 1, places.get, deterministic=True)
        for key, created, record, performance in self.connection.execute(_RECORDS):
            yield RawEvaluation(
                key, created, record, self._samples(key) if performance == "timed" else ()
            )

    def records(self, keys: Sequence[str]) -> dict[str, str]:
        """As JSON, by key, without samples."""
        return dict(self._rows(_JUST_RECORDS, keys))

    def read_note(self, key: str) -> str:
        """A fact about the run, or nothing."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def sources(self, digests: Sequence[str]) -> dict[str, str]:
        """By digest."""
        return dict(self._rows(_SOURCES, digests))

    def statements(self) -> dict[str, str]:
        """What each task said, as JSON."""
        return dict(self.connection.execute("SELECT task, json(statement) FROM statements"))

    def read_speeds(self, keys: Sequence[str]) -> Iterator[tuple[str, ReachedSpeed]]:
        """Every timing case of these evaluations with the key it belongs to."""
        for key, case, bound, *numbers in self._rows(_REACHED, keys):
            yield key, ReachedSpeed(case, bool(bound), *numbers)

    def gpus(self, keys: Sequence[str]) -> set[str]:
        """GPUs on which these were timed, with their measured peaks, as JSON."""
        return {gpu for (gpu,) in self._rows(_GPUS, keys) if gpu}

    def _samples(self, key: str) -> tuple[RawSamples, ...]:
        found: dict[tuple[str, str, str, str], list[tuple[int | None, ...]]] = {}
        measured = key_with_samples(self.connection, key)
        for row in self.connection.execute(_SAMPLES, (measured,)):
            found.setdefault(row[:4], []).append(row[4:])
        return tuple([RawSamples(*named, rows) for named, rows in sorted(found.items())])

    def _rows(self, sql: str, keys: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for at in range(0, len(keys), MOST_KEYS):
            part = keys[at : at + MOST_KEYS]
            yield from self.connection.execute(sql.format(keys=", ".join("?" * len(part))), part)


@contextmanager
def reading(run: Path) -> Iterator[RawRun]:
    """Open a run without changing it; the caller may hand it to another thread."""
    with open_run(run, any_thread=True) as connection:
        yield RawRun(connection)
