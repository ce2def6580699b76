import json
import shlex
from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx.cli.demo import SAMPLES

REJECTED = ("relu__reads_the_disk", "relu__torch_only")
"""No worker is needed to judge these."""


def _commands(said: str) -> list[list[str]]:
    return [shlex.split(line[2:]) for line in said.splitlines() if line.startswith("$ ")]


def test_it_prints_every_command_that_it_runs(
    kbx_here: Kbx, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = kbx_here("demo", *REJECTED)
    assert done.returncode == 0, done.stderr
    evaluation, query, report = _commands(done.stdout)
    sources = [str(SAMPLES / f"{name}.py") for name in REJECTED]
    options = ["--device", "interpreter", "--out", "runs/demo"]
    assert evaluation == ["kbx", "eval", *sources, *options]
    assert "2 rejected" in done.stdout
    assert query[:3] == ["kbx", "query", "runs/demo"]
    assert report == ["kbx", "report", "runs/demo", "--out", "runs/demo-report"]
    assert (tmp_path / "runs/demo-report/index.html").is_file()
    again = kbx_here(*query[1:])
    assert again.stdout in done.stdout and "rejected" in again.stdout


def test_without_a_name_it_takes_the_whole_folder(
    kbx_here: Kbx, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernelbenchx.cli.demo.SAMPLES", tmp_path / "samples")
    (tmp_path / "samples").mkdir()
    for name in ("relu__one.py", "relu__two.py"):
        (tmp_path / "samples" / name).write_text("def relu(input): return input\n")
    done = kbx_here("demo", "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert _commands(done.stdout)[0][2] == str(tmp_path / "samples")
    assert "2 rejected" in done.stdout


def test_as_json_standard_output_is_one_document(kbx_here: Kbx, tmp_path: Path) -> None:
    done = kbx_here("demo", "relu__[rt]*", "--out", tmp_path / "run", "--json")
    assert json.loads(done.stdout) == {
        "run": str(tmp_path / "run"),
        "report": str(tmp_path / "run-report" / "index.html"),
        "counts": {"rejected": 2},
        "outcomes": dict.fromkeys(REJECTED, "rejected"),
    }
    assert len(_commands(done.stderr)) == 3


def test_a_name_that_is_no_sample_is_refused(kbx_here: Kbx, tmp_path: Path) -> None:
    done = kbx_here("demo", *REJECTED, "relu", "--out", tmp_path / "run")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("kbx: no sample kernel is called 'relu': add__fenced_reply, ")
    assert not (tmp_path / "run").exists()


def test_nothing_runs_after_a_step_that_failed(kbx_here: Kbx, tmp_path: Path) -> None:
    (tmp_path / "run-report").mkdir()
    (tmp_path / "run").write_text("a file")
    done = kbx_here("demo", *REJECTED, "--out", tmp_path / "run")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert [words[1] for words in _commands(done.stdout)] == ["eval"]
    assert list((tmp_path / "run-report").iterdir()) == []
