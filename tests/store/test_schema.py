import sqlite3
from contextlib import closing

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.schema import TABLES, VERSION, prepare


def _tables(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {name for (name,) in rows}


def test_a_new_run_has_every_table_and_is_left_alone_afterwards() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        prepare(connection)
        assert _tables(connection) == set(TABLES)
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        connection.execute("INSERT INTO meta VALUES ('a', 'b')")
        prepare(connection)
        assert connection.execute("SELECT * FROM meta").fetchall() == [("a", "b")]


def test_a_run_of_another_schema_is_refused_and_left_alone() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
        with pytest.raises(BadInput, match=f"has schema {VERSION + 1}; this kbx reads only schema"):
            prepare(connection)
        assert _tables(connection) == set()
