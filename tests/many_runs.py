"""Writes a run as large as one likes: invented kernels and verdicts in the real form, quickly.

A seed fixes tasks, kernels and verdicts; a card only changes how fast they are, so that two runs
of one seed on two cards hold the same kernels.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.statement import Statement, statement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.core.performance import Timed
from kernelbenchx.core.record import to_json
from kernelbenchx.store.evaluation_rows import keep_scopes, reason_of
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.schema import prepare
from kernelbenchx.store.timings import columns_of, keep_timings, weaker_columns_of
from many_kernels import METHODS, SHARES, Plan, evaluations

_CREATED = "2026-01-01T00:00:00+00:00"
_AT_ONCE = 2000
_EVALUATION = f"INSERT INTO evaluations VALUES ({', '.join('?' * 38)})"
_SAMPLE = f"INSERT INTO samples VALUES ({', '.join('?' * 9)})"


def write_run(
    folder: Path,
    *,
    tasks: int = 184,
    methods: int = 5,
    rounds: int = 3,
    samples: int = 1,
    seed: int = 0,
    gpu: str = "NVIDIA H200",
    machine: str = "node-1",
    pairs: int = 2,
) -> int:
    """How many evaluations were written: tasks x methods x rounds x samples.

    `pairs` raw samples are kept for each comparison of times.
    """
    plan = Plan(seed, gpu, machine, rounds, pairs)
    named = task_names(tasks)
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(RunFolder(folder).database)) as connection:
        # Nobody mourns a run that was only invented: no log, no waiting for the disk.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -500000")  # keys come in no order
        prepare(connection)
        with connection:
            connection.execute("INSERT INTO meta VALUES ('seed', ?)", (str(seed),))
            connection.executemany(
                "INSERT INTO statements VALUES (?, ?)",
                [(name, to_json(_statement(name)).decode()) for name in named],
            )
            found = evaluations(plan, named, METHODS[:methods], samples)
            return _insert(connection, plan, found)


def task_names(count: int) -> list[str]:
    """Tasks of the catalogue first, then invented ones, in the shares of the published set."""
    known = catalog.names()
    chosen: list[str] = []
    for category, (share, _) in SHARES.items():
        wanted = max(1, round(share * count / 176))
        own = [name for name in known if name.startswith(f"{category}/")]
        chosen += (own + [f"{category}/invented_{n:03d}" for n in range(wanted)])[:wanted]
    spare = (f"math/more_{n:04d}" for n in range(count))
    return sorted([*chosen, *islice(spare, max(0, count - len(chosen)))][:count])


def _statement(name: str) -> Statement:
    if catalog.path_of(name).is_file():
        return statement(name)
    category, _, bare = name.partition("/")
    return Statement(
        task=bare,
        category=catalog.PUBLISHED_CATEGORIES[category],
        entry=bare,
        form="function",
        signature=f"{bare}(input: torch.Tensor) -> torch.Tensor",
        description=f"An invented task of the category {category}, elementwise, of any shape.",
        dtypes=("float32",) if len(bare) % 2 else ("float32", "float16", "bfloat16"),
        contract="Within the rounding of the dtype.",
        writes=(),
        inert=(),
        seed="",
        difficulty=1 + len(bare) % 5,
    )


def _insert(
    connection: sqlite3.Connection, plan: Plan, found: Iterator[tuple[Evaluation, str]]
) -> int:
    count = 0
    while batch := list(islice(found, _AT_ONCE)):
        connection.executemany(
            "INSERT OR IGNORE INTO sources VALUES (?, ?)",
            [(one.digest, source) for one, source in batch],
        )
        rows = [_row(one) for one, _ in batch]
        connection.executemany(_EVALUATION, rows)
        for row, (one, _) in zip(rows, batch, strict=True):
            keep_scopes(connection, str(row[0]), one)
            if isinstance(one.performance, Timed):
                keep_timings(connection, str(row[0]), one)
                connection.executemany(_SAMPLE, list(_samples(plan, str(row[0]), one.performance)))
        count += len(batch)
    return count


def _row(one: Evaluation) -> tuple[object, ...]:
    """In the order of the table's columns."""
    category, _, task = one.task.partition("/")
    key = hashlib.sha256(f"{one.submission} {one.task} {one.environment}".encode()).hexdigest()
    # Only a wrong answer can hold an infinity, which the slower way of writing spells out.
    record = to_json(one) if isinstance(one.outcome, Wrong) else msgspec.json.encode(one)
    return (
        key,
        _CREATED,
        one.submission,
        task,
        category,
        one.digest,
        type(one.outcome).__name__.lower(),
        reason_of(one),
        one.stage.value,
        one.composition.value,
        int(one.provisional),
        one.device,
        one.isolation.level,
        one.seconds,
        record.decode(),
        *columns_of(one),
        one.basic_correct,
        one.core_correct,
        *weaker_columns_of(one.core_performance),
        *weaker_columns_of(one.basic_performance),
        "",  # as if each was judged for itself
    )


def _samples(plan: Plan, key: str, timed: Timed) -> Iterator[tuple[object, ...]]:
    draw = plan.draw(key)
    for case in timed.cases:
        for one in case.comparisons:
            named = (key, case.case, one.baseline, one.clock.value, one.tier.value)
            for pair in range(plan.pairs):
                noise = draw.gauss(1.0, 0.01)
                yield (*named, pair, 0, one.candidate_us * noise, one.baseline_us / noise)
