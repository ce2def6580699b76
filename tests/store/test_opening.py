import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.evaluation_lookup import newest
from kernelbenchx.store.exchanges import read_asked
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.opening import open_run, readable_address
from kernelbenchx.store.query import ask
from kernelbenchx.store.raw_records import reading
from kernelbenchx.store.schema import VERSION
from read_only import run_on_read_only
from samples import evaluation

_COUNT = """
import sys
from pathlib import Path
from kernelbenchx.store.query import ask
from kernelbenchx.store.evaluation_lookup import newest
run = Path(sys.argv[1])
(row,) = ask([run], "select count(*) from evaluations").rows
print(*row, len(newest(run)))
"""


def _write(folder: Path, names: tuple[str, ...] = ("gelu", "relu")) -> Path:
    with writing(RunFolder(folder)) as database:
        for name in names:
            database.append(f"key{name}", evaluation(name), "s")
    return folder


def _with_log(tmp_path: Path) -> Path:
    """A run as a writer leaves it that is killed, on a disk where its shared memory is lost."""
    with writing(RunFolder(tmp_path / "written")) as database:
        database.append("key1", evaluation("gelu"), "s")
        shutil.copytree(tmp_path / "written", tmp_path / "killed")
    (tmp_path / "killed" / "run.sqlite-shm").unlink()
    return tmp_path / "killed"


def test_a_run_is_read_from_a_disk_that_cannot_be_written(tmp_path: Path) -> None:
    run = _write(tmp_path / "run")
    done = run_on_read_only(tmp_path, [sys.executable, "-c", _COUNT, str(run)])
    assert done.stdout.split() == ["2", "2"], done.stderr


def test_what_only_the_log_holds_is_read_from_such_a_disk_too(tmp_path: Path) -> None:
    run = _with_log(tmp_path)
    alone = sqlite3.connect(f"file:{run / 'run.sqlite'}?mode=ro&immutable=1", uri=True)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        alone.execute("SELECT * FROM evaluations")  # everything is in the log
    done = run_on_read_only(tmp_path, [sys.executable, "-c", _COUNT, str(run)])
    assert done.stdout.split() == ["1", "1"], done.stderr


def test_where_the_folder_can_be_written_the_run_is_opened_as_it_is(tmp_path: Path) -> None:
    folder = RunFolder(_write(tmp_path / "a run"))
    with readable_address(folder) as address:
        assert address.endswith("/a%20run/run.sqlite?mode=ro")


def test_a_run_that_is_open_cannot_be_changed(tmp_path: Path) -> None:
    run = _write(tmp_path)
    with (
        pytest.raises(BadInput, match="attempt to write a readonly database"),
        open_run(run) as connection,
    ):
        connection.execute("DELETE FROM evaluations")
    assert len(newest(run)) == 2


def test_a_database_is_a_run_whatever_it_is_called(tmp_path: Path) -> None:
    _write(tmp_path / "first", ("relu",))
    _write(tmp_path / "second")
    bare = tmp_path / "second" / "copy.sqlite"
    shutil.copyfile(tmp_path / "first" / "run.sqlite", bare)
    assert [one.evaluation.submission for one in newest(bare)] == ["relu"]
    assert ask([bare], "select run, submission from evaluations").rows == [(str(bare), "relu")]
    assert len(newest(tmp_path / "second")) == 2


def test_a_file_that_is_no_database_is_not_a_run(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(BadInput, match=r"notes\.txt is not a run: it is not an SQLite file"):
        newest(tmp_path / "notes.txt")


@pytest.mark.parametrize("version", [VERSION + 1, 11, 99])
def test_every_reader_refuses_another_schema_in_the_same_line(tmp_path: Path, version: int) -> None:
    run = _write(tmp_path / "run")
    with sqlite3.connect(run / "run.sqlite") as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    said = set()
    readers = (
        newest,
        read_asked,
        lambda run: read_attempts([run]),
        lambda run: ask([run], "select 1"),
        lambda run: reading(run).__enter__(),
        lambda run: writing(RunFolder(run)).__enter__(),
    )
    for reader in readers:
        with pytest.raises(BadInput) as refused:
            reader(run)
        said.add(str(refused.value))
    assert said == {f"{run} has schema {version}; this kbx reads only schema {VERSION}"}


def test_a_database_of_something_else_is_not_a_run(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "run.sqlite") as connection:
        connection.execute("CREATE TABLE other (x)")
    for reader in (newest, lambda run: ask([run], "select 1")):
        with pytest.raises(BadInput, match="is not a run: it has none of its tables"):
            reader(tmp_path)
