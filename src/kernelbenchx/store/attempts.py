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
from typing import Any
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
from kernelbenchx.store.shallow import Over, Times, Worst, shallow

DETAIL = 400
"""So many characters of what was said are enough to tell causes apart."""
_ROWS = """
SELECT key, submission, category || '/' || task, digest, outcome, reason, stage, composition,
       provisional, device, isolation, record
FROM evaluations
"""
_NUMBERS = re.compile(r"\d+")

_Row = tuple[Any, ...]
"""One evaluation: the columns that every version has, and last what is needed of its record."""


class _Stated(msgspec.Struct, frozen=True):
    category: str
    dtypes: tuple[str, ...]
    difficulty: int = 0
    """0 in runs that did not keep it."""


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
            rows = [(*columns, shallow(record)) for *columns, record in connection.execute(_ROWS)]
    except sqlite3.Error as error:
        raise BadInput(f"{folder.database} is not a run: {error}") from error
    except msgspec.DecodeError as error:
        raise BadInput(f"{folder.database} was written by another version: {error}") from error
    return _attempts(str(run), rows, stated)


def _attempts(run: str, rows: list[_Row], stated: dict[str, str]) -> Iterator[Attempt]:
    """In the order of names, so that a sample has the same number in every round.

    What a method wrote knows its number itself.
    """
    tasks: dict[str, _Task] = {}
    earlier: Counter[tuple[str, str, str, int]] = Counter()
    rows.sort(key=lambda row: (_natural(row[1]), row[0]))
    for row in rows:
        key, submission, task, digest, outcome, reason, stage, composition, *rest, record = row
        provisional, device, isolation = rest
        if task not in tasks:
            tasks[task] = _task(task, stated.get(task))
        known, origin, said = tasks[task], record.origin, record.outcome
        number = _round(origin.round)
        same = (task, origin.method, origin.model, number)
        yield Attempt(
            run=run,
            key=key,
            submission=submission,
            task=intern(task),
            category=known.category,
            method=intern(origin.method),
            model=intern(origin.model),
            round=number,
            sample=origin.sample if origin.step else earlier[same],
            step=intern(origin.step),
            parent=origin.parent,
            digest=digest,
            difficulty=known.difficulty,
            dtypes=known.dtypes,
            device=intern(device),
            gpu=intern(record.environment.gpu),
            outcome=intern(outcome),
            reason=intern(reason),
            stage=intern(stage),
            composition=intern(composition),
            provisional=bool(provisional),
            isolation=intern(isolation),
            certified=known.certified,
            pattern=intern(said.pattern),
            detail=intern(said.detail[:DETAIL]),
            deviation=_deviation(said.worst),
            **_times(record.performance),
        )
        earlier[same] += 1


def _natural(name: str) -> str:
    """So that the tenth comes after the second."""
    return _NUMBERS.sub(_padded, name)


def _padded(number: re.Match[str]) -> str:
    return number[0].zfill(20)


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
        difficulty = said.difficulty or difficulty
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
