import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.core.trial import Trial
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.exchanges import read_lost
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.older_runs import TABLES, current_columns, show_as_current
from kernelbenchx.store.query import ask
from kernelbenchx.store.raw import reading
from kernelbenchx.store.reading import find
from kernelbenchx.store.schema import VERSION
from kernelbenchx.store.timings import without_samples
from old_runs import EARLIER, write_version_1, write_version_7

TIMES = "SELECT speed_class, tier, roofline_us, judged_outputs FROM {}"


def _migrated(run: Path) -> None:
    with writing(RunFolder(run)):
        pass


def _left_alone(run: Path) -> None:
    """It is read as it lies there."""


Prepared = Callable[[Path], None]
both = pytest.mark.parametrize("prepared", [_left_alone, _migrated])


@both
def test_a_run_with_old_names_is_asked_with_new_ones(prepared: Prepared, tmp_path: Path) -> None:
    write_version_7(tmp_path)
    prepared(tmp_path)

    def rows(sql: str) -> list[tuple[Any, ...]]:
        return ask([tmp_path], sql).rows

    chosen = "speed_class, core_speed_class, tier, solved"
    assert rows(f"SELECT {chosen} FROM evaluations") == [("faster", "tie", "host_timed", 1)]
    for table in ("timings", "core_timings"):
        assert rows(TIMES.format(table)) == [("tie", "host_timed", 80.0, 8)]
    assert rows("SELECT tier FROM samples") == [("host_timed",)]
    assert rows("SELECT prompt_tokens FROM pending_requests") == [(5,)]
    gpu = "json_extract(record, '$.performance.gpu.name')"
    assert rows(f"SELECT {gpu} FROM evaluations") == [("NVIDIA H200",)]
    ((noted,),) = rows("SELECT value FROM meta WHERE key = 'generation'")
    assert json.loads(noted) == {"evaluation": {"time_limit_s": 9.0}}


@both
def test_records_with_old_keys_are_read_whole(prepared: Prepared, tmp_path: Path) -> None:
    write_version_7(tmp_path)
    prepared(tmp_path)
    assert find(tmp_path, "earlier").evaluation == without_samples(EARLIER)
    (attempt,) = read_attempts([tmp_path])
    assert attempt.eager is not None and attempt.eager.speed_class == "faster"
    assert read_lost(tmp_path) == 12
    with reading(tmp_path) as opened:
        assert [json.loads(one)["name"] for one in opened.gpus(["k1"])] == ["NVIDIA H200"]


def test_a_run_that_is_resumed_holds_what_it_held(tmp_path: Path) -> None:
    write_version_7(tmp_path)
    with writing(RunFolder(tmp_path)) as database:
        assert database.feedback("k1") == without_samples(EARLIER)
        assert database.trial("k1") == Trial(passed=False, detail="no", output='"detail":')
        assert database.spent().total == 12
        assert database.connection.execute("PRAGMA user_version").fetchone() == (VERSION,)


@pytest.mark.parametrize("write", [write_version_1, write_version_7])
def test_reading_changes_nothing_and_shows_every_column(
    write: Callable[[Path], None], tmp_path: Path
) -> None:
    write(tmp_path)
    file = tmp_path / "run.sqlite"
    before = file.read_bytes()
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        show_as_current(connection)
        for table in TABLES:
            cursor = connection.execute(f"SELECT * FROM {table}")
            shown = [one[0] for one in cursor.description]
            assert shown[: len(current_columns()[table])] == [
                name for name, _ in current_columns()[table]
            ]
    assert file.read_bytes() == before


def test_a_file_that_is_no_run_is_not_made_to_look_like_one() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        show_as_current(connection)
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            connection.execute("SELECT * FROM evaluations")
