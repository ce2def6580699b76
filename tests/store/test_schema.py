import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.schema import VERSION, prepare
from old_runs import write_version_1
from samples import evaluation, timed


def _columns(connection: sqlite3.Connection) -> dict[str, list[str]]:
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {
        name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
        for (name,) in tables
    }


def test_an_older_run_becomes_what_a_new_one_is_and_loses_nothing(tmp_path: Path) -> None:
    write_version_1(tmp_path)
    with closing(sqlite3.connect(":memory:")) as fresh, writing(RunFolder(tmp_path)) as database:
        prepare(fresh)
        assert _columns(database.connection) == _columns(fresh)
        assert database.connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert database.read(["k1"]) == [evaluation("earlier")]
        assert database.finished() == {"k1"}
        database.append("k2", evaluation("later", performance=timed()), "source")
    with writing(RunFolder(tmp_path)) as database:
        assert database.finished() == {"k1", "k2"}
        times = database.connection.execute(
            "SELECT submission, performance FROM evaluations ORDER BY key"
        ).fetchall()
    assert times == [("earlier", ""), ("later", "timed")]


def test_a_run_of_a_newer_version_is_refused_and_left_alone() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
        with pytest.raises(BadInput, match=f"schema {VERSION + 1}"):
            prepare(connection)
        assert _columns(connection) == {}
