"""Ten lines say what a run shows."""

from pathlib import Path

import pytest
from rich.cells import cell_len

from cli_types import Kbx
from many_runs import write_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    write_run(folder, tasks=20, methods=2, rounds=2, samples=2)
    return folder


def test_without_a_name_there_are_ten_lines_and_where_the_rest_is(
    kbx_here: Kbx, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = kbx_here("analyze", run)
    assert said.returncode == 0, said.stderr
    lines = said.stdout.splitlines()
    assert len(lines) <= 10 and max(map(cell_len, lines[:-1])) <= 80
    assert lines[0].startswith("160 evaluations of 20 tasks")
    assert lines[1].split() == ["method", "solved", "tasks", "core", "correct", "speedup"]
    assert f"kbx analyze {run} --all" in lines[-1]
    assert "Rates by method" not in said.stdout
    named = kbx_here("analyze", "rates", run)
    assert "Rates by method" in named.stdout and "solved tasks" not in named.stdout


def test_of_many_methods_the_best_are_at_a_glance(kbx_here: Kbx) -> None:
    said = kbx_here("analyze", "published")
    lines = said.stdout.splitlines()
    assert len(lines) <= 10 and lines[1].startswith("method (4 of 5)")
    assert "GEAK" in lines[3] and "54 of 176, 31 %" in lines[3]
    assert "not said" not in said.stdout
