"""A damaged run is one line, whoever reads it."""

import sqlite3
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.database import writing
from kernelbenchx.store.evaluation_lookup import newest
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.query import ask
from samples import evaluation


def _fill(run: Path) -> Path:
    with writing(RunFolder(run)) as database:
        for number in range(60):
            database.append(f"k{number}", evaluation(f"s{number}"), "source" * 99)
    return run / "run.sqlite"


def test_a_record_of_another_kind_is_refused_by_those_who_write_and_read(tmp_path: Path) -> None:
    with sqlite3.connect(_fill(tmp_path)) as connection:
        connection.execute("UPDATE evaluations SET record = '{}' WHERE key = 'k1'")
    with pytest.raises(BadInput, match=r"run\.sqlite was written by another version or is damaged"):
        with writing(RunFolder(tmp_path)) as database:
            assert len(database.read(["k2"])) == 1
            database.read(["k1"])
    with pytest.raises(BadInput, match=r"run\.sqlite was written by another version"):
        newest(tmp_path)


def test_damaged_pages_are_refused_and_other_errors_stay(tmp_path: Path) -> None:
    database = _fill(tmp_path)
    content = bytearray(database.read_bytes())
    half = len(content) // 2  # the schema comes before
    content[half:] = b"\xa5" * (len(content) - half)
    database.write_bytes(content)
    with pytest.raises(BadInput, match=r"run\.sqlite is damaged: database disk image"):
        with writing(RunFolder(tmp_path)) as opened:
            opened.read(f"k{number}" for number in range(60))
    with writing(RunFolder(tmp_path / "other")) as opened:
        opened.connection.execute("DROP TABLE meta")
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            opened.read_note("seed")


def test_a_name_in_the_schema_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    database = _fill(tmp_path)
    content = database.read_bytes()
    database.write_bytes(
        content.replace(b"CREATE TABLE evaluations", b"CREATE TABLE evalu\xe9tions")
    )
    with pytest.raises(BadInput, match=r"run\.sqlite is not a run"):
        newest(tmp_path)
    with pytest.raises(BadInput, match=r"run\.sqlite is not a run"):
        with writing(RunFolder(tmp_path)):
            pass
    with pytest.raises(BadInput, match="SQL: "):
        ask([tmp_path], "SELECT 1")
