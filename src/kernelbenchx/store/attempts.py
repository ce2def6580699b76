"""Reads runs as the analysis sees them: one flat row per evaluation, several runs as one."""

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from msgspec.structs import replace

from kernelbenchx.analysis.attempt import Attempt, Speed, place_of
from kernelbenchx.analysis.causes import deviation
from kernelbenchx.core.kernelbench_names import read_kernel_name
from kernelbenchx.core.scopes import Scope, ScopeCount, sort_scopes
from kernelbenchx.store.case_times import case_times, left_out, mean_times
from kernelbenchx.store.exchanges import read_reasoning
from kernelbenchx.store.feedback_results import read_seen, shared_by_runs
from kernelbenchx.store.generation_note import names_of_methods
from kernelbenchx.store.known_tasks import KnownTask, known_task
from kernelbenchx.store.opening import open_run
from kernelbenchx.store.rule_fields import rule_fields
from kernelbenchx.store.shallow_evaluation import (
    Machine,
    ShallowSpeedup,
    ShallowWorst,
    Times,
    decode_shallow,
)

DETAIL = 400
"""So many characters of a message are enough to tell causes apart."""
_ROWS = """
SELECT key, submission, category || '/' || task, digest, outcome, reason, stage, composition,
       provisional, device, isolation, record, basic_correct, core_correct, content_key
FROM evaluations
"""
_NUMBERS = re.compile(r"\d+")

_Row = tuple[Any, ...]
"""One evaluation, as `_ROWS` reads it."""


class VerdictProvenance(NamedTuple):
    """What a verdict rests on."""

    device: str
    isolation: str
    machine: Machine
    missing: tuple[str, ...]
    """Protections that the machine could not give."""
    checks: bool
    """Sources were checked before they ran."""


class LoadedRuns(NamedTuple):
    """What runs hold."""

    attempts: list[Attempt]
    grounds: Counter[VerdictProvenance]
    """Of every evaluation of every run."""


def read_attempts(runs: Sequence[Path]) -> list[Attempt]:
    """The attempts of `read_runs` alone."""
    return read_runs(runs).attempts


def read_runs(runs: Sequence[Path]) -> LoadedRuns:
    """Every evaluation of these runs, each key once; earlier runs come first.

    A key says what was evaluated, how and on which machine. Where it lies in two runs, the first
    that is not void stands. Runs of one method with other choices are methods of their own.
    """
    found: dict[str, Attempt] = {}
    grounds: Counter[VerdictProvenance] = Counter()
    names = names_of_methods(runs)
    for run in runs:
        called = names.get(str(run), {})
        for one in _read(run, grounds, called):
            place = f"{one.key} {one.method}" if called else one.key
            known = found.get(place)
            if known is None or (known.void and not one.void):
                found[place] = one
            elif _is_measured_again(known, one) and one.eager is not None:
                again = (*known.measured_again, (one.run, one.eager))
                found[place] = replace(known, measured_again=again)
    return LoadedRuns(shared_by_runs(list(found.values())), grounds)


def _is_measured_again(known: Attempt, one: Attempt) -> bool:
    """Not where a run was copied: then its inputs, and so its seed, are the same."""
    return known.timed and one.timed and known.tier == one.tier and known.seed != one.seed


def _read(
    run: Path, grounds: Counter[VerdictProvenance], called: Mapping[str, str]
) -> Iterator[Attempt]:
    with open_run(run) as connection:
        maker = _Maker(str(run), connection, called)
        rows = connection.execute(_ROWS)
        found = [maker.make_attempt(row, grounds) for row in rows]
    return _number_samples(found)


_Named = tuple[str, str, bool, Attempt]
"""By what it is sorted, whether it knows its own number, and itself."""


class _Maker:
    """Makes attempts of rows as they are read, so that no record is kept longer than that."""

    def __init__(self, run: str, connection: sqlite3.Connection, called: Mapping[str, str]) -> None:
        self._run = run
        self._scopes = _scopes(connection)
        self._means = mean_times(connection)
        self._called = called
        self._seen = read_seen(connection)
        self._reasoning = read_reasoning(connection)
        self._stated = dict(connection.execute("SELECT task, statement FROM statements"))
        self._tasks: dict[str, KnownTask] = {}

    def make_attempt(self, row: _Row, grounds: Counter[VerdictProvenance]) -> _Named:
        """One attempt."""
        key, submission, task, digest, outcome, reason, stage, composition, *rest = row
        provisional, device, isolation, text, basic, core, content_key = rest
        record = decode_shallow(text)
        known, origin, said = self._task(task), record.origin, record.outcome
        checked = (record.environment, record.isolation.missing, record.checks)
        grounds[VerdictProvenance(device, isolation, *checked)] += 1
        failure = _failure(outcome, record.performance)
        one = Attempt(
            run=self._run,
            key=key,
            content_key=content_key,
            submission=submission,
            task=intern(task),
            category=known.category,
            method=intern(self._called.get(origin.method, origin.method)),
            model=intern(origin.model),
            reasoning=self._reasoning.get(origin.model, ""),
            round=_round(origin.round),
            sample=origin.sample if origin.step else 0,
            step=intern(origin.step),
            parent=origin.parent,
            digest=digest,
            difficulty=known.difficulty,
            dtypes=known.dtypes,
            device=intern(device),
            gpu=intern(place_of(record.environment.gpu, record.sizes)),
            outcome=intern(outcome),
            reason=intern(reason or failure.reason),
            stage=intern(stage),
            composition=intern(composition),
            provisional=bool(provisional),
            isolation=intern(isolation),
            grade=known.grade,
            pattern=intern(said.pattern),
            detail=intern((said.words or failure.detail)[:DETAIL]),
            deviation=_deviation(said.worst),
            basic=None if basic is None else bool(basic),
            core=None if core is None else bool(core),
            scopes=self._scopes.get(key, ()),
            corners=record.corners,
            seed=record.seed,
            level=known.level or _named_level(submission),
            weights=intern(record.weights),
            mean_ms=self._means.get(key) or self._means.get(content_key),
            **_times(record.performance),
            **_weaker_times("core", record.core_performance),
            **_weaker_times("basic", record.basic_performance),
            **rule_fields(record.rules),
        )
        return _natural(submission), key, bool(origin.step), self._seen.complete(one)

    def _task(self, name: str) -> KnownTask:
        if name not in self._tasks:
            self._tasks[name] = known_task(name, self._stated.get(name))
        return self._tasks[name]


def _scopes(connection: sqlite3.Connection) -> dict[str, tuple[ScopeCount, ...]]:
    found: dict[str, list[ScopeCount]] = {}
    for key, scope, dtype, passed, total in connection.execute("SELECT * FROM scopes"):
        count = ScopeCount(scope=Scope(scope), dtype=intern(dtype), passed=passed, total=total)
        found.setdefault(key, []).append(count)
    return {key: sort_scopes(counts) for key, counts in found.items()}


def _number_samples(found: list[_Named]) -> Iterator[Attempt]:
    """In the order of names, so that a sample has the same number in every round.

    What a method wrote knows its number itself.
    """
    earlier: Counter[tuple[str, str, str, int]] = Counter()
    found.sort()
    for _, _, knows, one in found:
        same = (one.task, one.method, one.model, one.round)
        yield one if knows else replace(one, sample=earlier[same])
        earlier[same] += 1


def _named_level(submission: str) -> int:
    """For problems that are not in the catalogue: what KernelBench's file names say."""
    named = read_kernel_name(submission)
    return named.level if named is not None else 0


def _natural(name: str) -> str:
    """So that the tenth comes after the second."""
    return _NUMBERS.sub(lambda number: number[0].zfill(20), name)


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
        "case_times": case_times(times),
        "left_out": left_out(times),
    }


def _weaker_times(standard: str, times: Times | None) -> dict[str, Any]:
    if times is None:
        return {}
    over = {one.baseline: one for one in times.speedups}
    found: dict[str, Any] = {"performance": intern(times.kind)}
    found |= {"eager": _speed(over.get("eager")), "compiled": _speed(over.get("compile"))}
    if standard == "core":
        found |= {"case_times": case_times(times), "left_out": left_out(times)}
    return {f"{standard}_{name}": value for name, value in found.items()}


def _failure(outcome: str, times: Times | None) -> Times:
    """What ended a submission that was right in every check case, at a timed size."""
    failed = outcome == "correct" and times is not None and times.kind == "failed"
    return times if failed and times is not None else Times(kind="")


def _deviation(worst: ShallowWorst | float | None) -> float | None:
    """Of the worst element, where one was noted."""
    return deviation(worst.expected, worst.got) if isinstance(worst, ShallowWorst) else None


def _speed(over: ShallowSpeedup | None) -> Speed | None:
    if over is None:
        return None
    return Speed(
        speedup=over.speedup, low=over.low, high=over.high, speed_class=intern(over.speed_class)
    )


def _mean(parts: Sequence[float]) -> float | None:
    """Geometric mean over the cases that fill the GPU, as the score of an evaluation is."""
    if not parts:
        return None
    return math.exp(math.fsum(map(math.log, parts)) / len(parts)) if min(parts) > 0 else 0.0


@cache
def _round(said: str) -> int:
    """The round as a number, however it was written; 0 where none is named."""
    digits = "".join(sign for sign in said if sign.isdigit())
    return int(digits[:9]) if digits else 0
