"""An invented run is worth something only if it has the form of a real one."""

import ast
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from kernelbenchx.core.outcome import Correct, Rejected, Wrong
from kernelbenchx.core.performance import Timed
from kernelbenchx.store.database import Database, writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.schema import TABLES
from many_runs import task_names, write_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    assert write_run(folder, tasks=20, methods=3, rounds=3, samples=2) == 20 * 3 * 3 * 2
    return folder


def _rows(run: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(RunFolder(run).database)) as connection:
        return connection.execute(sql).fetchall()


def _keys(run: Path) -> list[str]:
    return [str(key) for (key,) in _rows(run, "SELECT key FROM evaluations ORDER BY key")]


def test_the_run_is_what_the_store_itself_would_have_written(run: Path, tmp_path: Path) -> None:
    with writing(RunFolder(run)) as database:
        found = dict(zip(_keys(run), database.read(_keys(run)), strict=True))
        sources = dict(database.connection.execute("SELECT digest, source FROM sources"))
    with writing(RunFolder(tmp_path)) as fresh:
        for key, one in found.items():
            fresh.append(key, one, sources[one.digest])
    for table in set(TABLES) - {"statements", "meta"}:
        given, kept = (
            sorted(_rows(folder, f"SELECT * FROM {table}"), key=repr) for folder in (run, tmp_path)
        )
        if table == "evaluations":
            given, kept = ([(row[0], *row[2:]) for row in rows] for rows in (given, kept))
        assert given == kept, table


def test_every_kind_of_outcome_occurs_and_only_correct_kernels_have_times(run: Path) -> None:
    with writing(RunFolder(run)) as database:
        found = database.read(_keys(run))
    kinds = Counter(type(one.outcome).__name__ for one in found)
    assert {"Rejected", "Broken", "Wrong", "Correct"} <= set(kinds)
    for one in found:
        assert (one.performance is not None) == isinstance(one.outcome, Correct)
        if isinstance(one.performance, Timed):
            assert all(case.comparisons[0].samples for case in one.performance.cases)
        if isinstance(one.outcome, Rejected):
            assert one.outcome.findings[0].fatal
        if isinstance(one.outcome, Wrong):
            assert one.outcome.detail


def test_sources_are_python_except_for_some_that_do_not_load(run: Path) -> None:
    sources = [str(source) for (source,) in _rows(run, "SELECT source FROM sources")]
    bad = 0
    for source in sources:
        try:
            ast.parse(source)
        except SyntaxError:
            bad += 1
    assert bad < 0.1 * len(sources)


def test_one_seed_gives_the_same_kernels_on_two_cards_at_other_speeds(tmp_path: Path) -> None:
    for name in ("NVIDIA H200", "NVIDIA A100-PCIE-40GB"):
        write_run(tmp_path / name, tasks=15, methods=2, rounds=1, gpu=name)
    ask = "SELECT digest, outcome, {} FROM evaluations ORDER BY digest, submission"
    folders = [tmp_path / "NVIDIA H200", tmp_path / "NVIDIA A100-PCIE-40GB"]
    kernels, speeds, keys = (
        [_rows(folder, ask.format(column)) for folder in folders]
        for column in ("submission", "speedup", "key")
    )
    assert kernels[0] == kernels[1]
    assert speeds[0] != speeds[1] and keys[0] != keys[1]
    write_run(tmp_path / "again", tasks=15, methods=2, rounds=1)
    assert _rows(tmp_path / "again", ask.format("speedup")) == speeds[0]
    write_run(tmp_path / "other", tasks=15, methods=2, rounds=1, seed=1)
    assert _rows(tmp_path / "other", ask.format("submission")) != kernels[0]


def test_as_many_tasks_as_asked_for_in_every_category() -> None:
    for count in (1, 15, 184, 500):
        assert len(set(task_names(count))) == count
    assert len({name.partition("/")[0] for name in task_names(184)}) == 15


def test_a_database_opened_for_writing_finds_the_run_finished(run: Path) -> None:
    with writing(RunFolder(run)) as database:
        assert isinstance(database, Database)
        keys = database.connection.execute(
            "SELECT key FROM evaluations WHERE outcome <> 'void' AND performance <> 'unmeasured'"
        ).fetchall()
        assert keys and all(database.is_finished(key) for (key,) in keys)
