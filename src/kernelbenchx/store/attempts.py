"""Reads runs as the analysis sees them: one flat row per evaluation, several runs as one."""

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec

from kernelbenchx import catalog
from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.analysis.causes import deviation
from kernelbenchx.catalog.certificates import standing
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.errors import BadInput, BrokenTask
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.schema import VERSION
from kernelbenchx.store.shallow import Over, Shallow, Times, Worst, shallow

DETAIL = 400
"""So many characters of what was said are enough to tell causes apart."""
_ROWS = """
SELECT key, submission, category || '/' || task, digest, outcome, reason, stage, composition,
       provisional, device, isolation, record
FROM evaluations
"""
_NUMBERS = re.compile(r"(\d+)")


class _Stated(msgspec.Struct, frozen=True):
    category: str
    dtypes: tuple[str, ...]


class _Row(NamedTuple):
    """One evaluation: the columns that every version has, and what is needed of its record."""

    key: str
    submission: str
    task: str
    digest: str
    verdict: tuple[str, str, str, str]
    """Outcome, reason, stage, composition."""
    provisional: bool
    device: str
    isolation: str
    record: Shallow


@dataclass(frozen=True)
class _Task:
    category: str
    difficulty: int
    dtypes: tuple[str, ...]
    certified: bool


def read_attempts(runs: Sequence[Path]) -> list[Attempt]:
    """Every evaluation of these runs, each key once; earlier runs come first.

    A key says what was evaluated, how and on which machine. Where it lies in two runs, the first
    that is not void stands.
    """
    found: dict[str, Attempt] = {}
    for run in runs:
        for one in _read(run):
            known = found.get(one.key)
            if known is None or (one.counts and not known.counts):
                found[one.key] = one
    return list(found.values())


def _read(run: Path) -> Iterator[Attempt]:
    folder = RunFolder.existing(run)
    address = f"file:{quote(str(folder.database.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise BadInput(f"{run} has schema {version}, this version knows up to {VERSION}")
            stated = dict(connection.execute("SELECT task, statement FROM statements"))
            rows = [_row(row) for row in connection.execute(_ROWS)]
    except sqlite3.Error as error:
        raise BadInput(f"{folder.database} is not a run: {error}") from error
    except msgspec.DecodeError as error:
        raise BadInput(f"{folder.database} was written by another version: {error}") from error
    return _attempts(str(run), rows, stated)


def _row(columns: tuple[Any, ...]) -> _Row:
    key, submission, task, digest, *verdict, provisional, device, isolation, record = columns
    outcome, reason, stage, composition = map(intern, verdict)
    return _Row(
        key,
        submission,
        intern(task),
        digest,
        (outcome, reason, stage, composition),
        bool(provisional),
        intern(device),
        intern(isolation),
        shallow(record),
    )


def _attempts(run: str, rows: list[_Row], stated: dict[str, str]) -> Iterator[Attempt]:
    """In the order of names, so that a sample has the same number in every round."""
    tasks: dict[str, _Task] = {}
    earlier: Counter[tuple[str, str, str, int]] = Counter()
    for row in sorted(rows, key=lambda row: (_natural(row.submission), row.key)):
        if row.task not in tasks:
            tasks[row.task] = _task(row.task, stated.get(row.task))
        known, origin, said = tasks[row.task], row.record.origin, row.record.outcome
        number = _round(origin.round)
        same = (row.task, origin.method, origin.model, number)
        outcome, reason, stage, composition = row.verdict
        yield Attempt(
            run=run,
            key=row.key,
            submission=row.submission,
            task=row.task,
            category=known.category,
            method=intern(origin.method),
            model=intern(origin.model),
            round=number,
            sample=earlier[same],
            digest=row.digest,
            difficulty=known.difficulty,
            dtypes=known.dtypes,
            device=row.device,
            gpu=intern(row.record.environment.gpu),
            outcome=outcome,
            reason=reason,
            stage=stage,
            composition=composition,
            provisional=row.provisional,
            isolation=row.isolation,
            certified=known.certified,
            pattern=intern(said.pattern),
            detail=intern(said.detail[:DETAIL]),
            deviation=_deviation(said.worst),
            **_times(row.record.performance),
        )
        earlier[same] += 1


def _natural(name: str) -> list[str | int]:
    """So that the tenth comes after the second."""
    parts = _NUMBERS.split(name)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def _times(times: Times | None) -> dict[str, Any]:
    if times is None:
        return {}
    over = {one.baseline: one for one in times.speedups}
    filling = [one for one in times.cases if not one.overhead_bound] or times.cases
    return {
        "performance": intern(times.kind),
        "tier": intern(times.tier),
        "eager": _speed(over.get("eager")),
        "compiled": _speed(over.get("compile")),
        "score": _mean([one.efficiency.score for one in filling]),
        "iou": _mean([one.efficiency.iou for one in filling]),
        "mfu": _mean([one.efficiency.mfu for one in filling]),
    }


def _deviation(worst: Worst | float | None) -> float | None:
    """Of the worst element, where one was noted."""
    return deviation(worst.expected, worst.got) if isinstance(worst, Worst) else None


def _speed(over: Over | None) -> Speed | None:
    if over is None:
        return None
    return Speed(speedup=over.speedup, low=over.low, high=over.high, pace=intern(over.pace))


def _mean(parts: Sequence[float]) -> float | None:
    """Geometric, over the cases that fill the card, as the score of an evaluation is."""
    if not parts:
        return None
    return math.exp(math.fsum(map(math.log, parts)) / len(parts)) if min(parts) > 0 else 0.0


@cache
def _round(said: str) -> int:
    """A number, however it was written; 0 where nothing is said."""
    digits = "".join(sign for sign in said if sign.isdigit())
    return int(digits[:9]) if digits else 0


def _task(name: str, stated: str | None) -> _Task:
    """As the run's own statement says, and for what no statement says, as the catalogue does."""
    difficulty, dtypes, certified = _catalogued(name)
    category = name.partition("/")[0]
    published = catalog.PUBLISHED_CATEGORIES.get(category, category)
    if stated is not None:
        said = msgspec.json.decode(stated, type=_Stated)
        published, dtypes = said.category, said.dtypes
    return _Task(published, difficulty, dtypes, certified)


@cache
def _catalogued(name: str) -> tuple[int, tuple[str, ...], bool]:
    if not catalog.path_of(name).is_file():
        return 0, (), False
    try:
        known = facts(name)
    except BrokenTask:
        return 0, (), False
    return known.difficulty, known.dtypes, standing(name)
