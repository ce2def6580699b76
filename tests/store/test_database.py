import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Reason, Void
from kernelbenchx.core.performance import Failed, Unmeasured
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, timed


def test_what_was_appended_is_read_back_and_is_finished(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.append("k1", evaluation(), "source")
    with writing(RunFolder(tmp_path)) as database:
        assert database.is_finished("k1")
        assert database.read(["k1", "unknown"]) == [evaluation()]
        assert database.connection.execute("SELECT source FROM sources").fetchall() == [("source",)]


def test_the_same_key_is_there_once_and_the_first_verdict_stays(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.append("k1", evaluation("first"), "source")
        database.append("k1", evaluation("second"), "source")
        assert [one.submission for one in database.read(["k1"])] == ["first"]


def test_a_void_evaluation_is_not_finished_and_is_replaced(tmp_path: Path) -> None:
    void = Void(reason=Reason.EVALUATOR, detail="lost")
    with writing(RunFolder(tmp_path)) as database:
        database.append("k1", evaluation(outcome=void), "source")
        assert not database.is_finished("k1")
        database.append("k1", evaluation(), "source")
        assert database.is_finished("k1")
        assert database.read(["k1"]) == [evaluation()]


def test_times_are_read_back_with_every_sample(tmp_path: Path) -> None:
    one = evaluation(performance=timed(baselines=("eager", "compile")))
    with writing(RunFolder(tmp_path)) as database:
        database.append("k1", one, "source")
        database.append("k2", evaluation(performance=timed(1.5)), "source")
        assert database.read(["k1"]) == [one]
        (record,) = database.connection.execute(
            "SELECT record FROM evaluations WHERE key = 'k1'"
        ).fetchone()
    assert '"samples":[]' in record and '"block"' not in record


def test_times_that_cannot_be_trusted_are_not_finished_and_are_replaced(tmp_path: Path) -> None:
    lost = evaluation(performance=Unmeasured(reason=Reason.DISTURBED, detail="a stranger"))
    void = evaluation(outcome=Void(reason=Reason.EVALUATOR, detail="lost"))
    with writing(RunFolder(tmp_path)) as database:
        database.append("k1", lost, "source")
        assert not database.is_finished("k1")
        database.append("k1", void, "source")
        assert database.read(["k1"]) == [lost], "what was judged correct does not become void"
        database.append("k1", evaluation(performance=timed(1.5)), "source")
        assert database.is_finished("k1")
        database.append("k1", evaluation(performance=timed(9.0)), "source")
        assert database.read(["k1"]) == [evaluation(performance=timed(1.5))]


def test_a_timed_call_that_failed_is_finished(tmp_path: Path) -> None:
    failed = Failed(case="n=3", reason=Reason.TIMED_WRONG, detail="other values")
    with writing(RunFolder(tmp_path)) as database:
        database.append("k1", evaluation(performance=failed), "source")
        assert database.is_finished("k1")
        row = database.connection.execute(
            "SELECT outcome, performance, performance_reason, speedup FROM evaluations"
        ).fetchone()
    assert row == ("correct", "failed", "timed_wrong", None)


def test_a_second_writer_is_refused_in_one_line(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)):
        with pytest.raises(BadInput, match="written by another process"):
            with writing(RunFolder(tmp_path)):
                pass
    with writing(RunFolder(tmp_path)):
        pass


def test_what_was_appended_before_a_kill_is_there(tmp_path: Path) -> None:
    program = (
        "import os, sys; sys.path.insert(0, sys.argv[2]);"
        "from pathlib import Path; from samples import evaluation, timed;"
        "from kernelbenchx.store.database import writing;"
        "from kernelbenchx.store.layout import RunFolder\n"
        "with writing(RunFolder(Path(sys.argv[1]))) as database:\n"
        "    database.append('k1', evaluation(), 's')\n"
        "    database.connection.execute('BEGIN')\n"
        "    database.connection.execute(\"INSERT INTO meta VALUES ('half', 'done')\")\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), str(Path(__file__).parents[1])], check=False
    )
    assert ended.returncode == -9
    with writing(RunFolder(tmp_path)) as database:
        assert database.is_finished("k1")
        assert database.read_note("half") == ""


def test_a_disk_without_room_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: sqlite3.Connection, _run: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("kernelbenchx.store.database.prepare", full)
    with pytest.raises(BadInput, match=r"^cannot write the run .*: database or disk is full$"):
        with writing(RunFolder(tmp_path)):
            pass


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.sqlite").write_text("not a database, certainly " * 100)
    with pytest.raises(BadInput, match="not a run"), writing(RunFolder(tmp_path)):
        pass


def test_a_run_of_another_schema_is_refused(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)):
        pass
    connection = sqlite3.connect(tmp_path / "run.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(BadInput, match="schema 99"), writing(RunFolder(tmp_path)):
        pass
