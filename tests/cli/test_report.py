import json
from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, timed


def _run(folder: Path) -> Path:
    with writing(RunFolder(folder)) as database:
        database.append("key", evaluation("mine", performance=timed()), "source")
    return folder


def test_a_report_is_written_and_says_where(kbx: Kbx, tmp_path: Path) -> None:
    done = kbx("report", _run(tmp_path / "run"), "--out", tmp_path / "site")
    assert done.returncode == 0, done.stderr
    assert f"open {tmp_path}/site/index.html" in done.stdout.replace("\n", "")
    assert (tmp_path / "site" / "index.html").is_file()
    assert done.stdout.startswith("1 evaluation, 1 task, methods: 1, ")


def test_as_json(kbx: Kbx, tmp_path: Path) -> None:
    done = kbx("report", _run(tmp_path / "run"), "--out", tmp_path / "site", "--json")
    said = json.loads(done.stdout)
    assert (said["evaluations"], said["tasks"]) == (1, 1)
    assert Path(said["page"]).is_file()


def test_the_word_published_stands_for_the_results_of_the_paper(kbx: Kbx, tmp_path: Path) -> None:
    done = kbx("report", "published", "--out", tmp_path / "paper")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("880 evaluations, 176 tasks, methods: 5, ")
    assert (tmp_path / "paper" / "index.html").is_file()


def test_published_results_are_not_mixed_with_runs(kbx: Kbx, tmp_path: Path) -> None:
    done = kbx("report", "published", _run(tmp_path / "run"), "--out", tmp_path / "site")
    assert done.returncode == 2
    assert "cannot be combined with runs" in done.stderr
    assert not (tmp_path / "site").exists()


def test_a_folder_called_published_is_a_run(
    kbx: Kbx, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _run(tmp_path / "published")
    monkeypatch.chdir(tmp_path)
    done = kbx("report", "./published", "--out", "site")
    assert done.stdout.startswith("1 evaluation, 1 task"), done.stderr


def test_what_is_no_run_ends_in_one_line(kbx: Kbx, tmp_path: Path) -> None:
    done = kbx("report", tmp_path, "--out", tmp_path / "site")
    assert done.returncode == 2
    assert done.stderr.strip().count("\n") == 0
    assert "is not a run" in done.stderr
