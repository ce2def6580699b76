"""Every command that reads runs works on a disk that cannot be written."""

import sys
from pathlib import Path

import pytest

from asked_runs import write_asked_run
from cli_types import Kbx
from read_only import run_on_read_only


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("disk")
    write_asked_run(folder / "run", {"math/div": 2})
    return folder


COMMANDS = (
    ("show", "{run}"),
    ("show", "{run}", "div__round1", "--transcript"),
    ("show", "{run}/run.sqlite"),
    ("query", "{run}", "select count(*) from evaluations"),
    ("analyze", "{run}"),
    ("report", "{run}", "--out", "{out}/site"),
    ("export", "transitions", "{run}", "--out", "{out}/steps.jsonl"),
    ("export", "recording", "{run}", "--out", "{out}/recording.jsonl"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_run_on_a_read_only_disk_is_read(
    words: tuple[str, ...], disk: Path, tmp_path: Path
) -> None:
    given = [word.format(run=disk / "run", out=tmp_path) for word in words]
    done = run_on_read_only(disk, [sys.executable, "-m", "kernelbenchx", *given])
    assert done.returncode == 0, done.stderr


def test_writing_there_is_refused_in_one_line(disk: Path, tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text("def relu(input): return input\n")
    words = ("eval", tmp_path / "relu.py", "--stage", "check", "--out", disk / "new")
    done = run_on_read_only(disk, [sys.executable, "-m", "kernelbenchx", *map(str, words)])
    assert done.returncode == 2
    assert done.stderr == f"kbx: cannot write the run {disk / 'new'}: Read-only file system\n"


def test_a_newer_schema_is_refused_by_every_command_in_the_same_line(
    kbx_here: Kbx, tmp_path: Path
) -> None:
    import sqlite3

    run = write_asked_run(tmp_path / "run", {"math/div": 2})
    with sqlite3.connect(run / "run.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    (tmp_path / "relu.py").write_text("def relu(input): return input\n")
    judged = ("eval", str(tmp_path / "relu.py"), "--stage", "check", "--out", "{run}")
    said = set()
    for words in (*COMMANDS, judged):
        done = kbx_here(*(word.format(run=run, out=tmp_path) for word in words))
        assert done.returncode == 2
        said.add(done.stderr.replace("/run.sqlite", ""))
    assert len(said) == 1 and "has schema 99; this kbx reads only schema 1" in said.pop()
