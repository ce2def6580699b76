"""A part of a run by category, task, model or method, in every command that reads runs."""

import json
from pathlib import Path

import pytest

from cli_types import Kbx
from many_runs import write_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    write_run(folder, tasks=6, methods=2, rounds=1)
    return folder


def _analysed(kbx: Kbx, run: Path, *more: str) -> dict[str, object]:
    done = kbx("analyze", "rates", str(run), "--json", *more)
    assert done.returncode == 0, done.stderr
    document: dict[str, object] = json.loads(done.stdout)
    return document


def test_analyze_counts_only_what_is_wanted(kbx_here: Kbx, run: Path) -> None:
    every = _analysed(kbx_here, run)["evaluations"]
    assert isinstance(every, int) and every % 2 == 0
    assert _analysed(kbx_here, run, "--method", "agent")["evaluations"] == every / 2
    one = _analysed(kbx_here, run, "--method", "agent", "--category", "Math")["evaluations"]
    assert isinstance(one, int) and 0 < one < every / 2


@pytest.mark.parametrize("command", ["analyze", "report", "transitions"])
def test_an_unknown_word_is_one_line_and_returncode_2(
    kbx_here: Kbx, run: Path, tmp_path: Path, command: str
) -> None:
    words = {
        "analyze": ["analyze", str(run)],
        "report": ["report", str(run), "--out", str(tmp_path / "site")],
        "transitions": ["export", "transitions", str(run), "--out", str(tmp_path / "x.jsonl")],
    }[command]
    done = kbx_here(*words, "--method", "nothing")
    assert done.returncode == 2
    assert "no evaluation has the method 'nothing'; there are agent" in done.stderr


def test_a_report_is_about_the_part_and_says_so(kbx_here: Kbx, run: Path, tmp_path: Path) -> None:
    words = ["report", str(run), "--method", "agent", "--out", str(tmp_path / "site"), "--json"]
    done = kbx_here(*words)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["methods"] == 1


def test_the_published_results_have_no_tasks_to_choose(kbx_here: Kbx, tmp_path: Path) -> None:
    done = kbx_here("report", "published", "--task", "relu", "--out", str(tmp_path / "site"))
    assert done.returncode == 2 and "names no tasks" in done.stderr
