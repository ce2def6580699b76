"""Ten lines say what a run shows."""

import io
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from cli_types import Kbx
from kernelbenchx.analysis.summary import FailureSummary, MethodSummary, Summary
from kernelbenchx.analysis.table import Interval
from kernelbenchx.cli.analyze_overview import print_at_a_glance
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
    assert lines[-1].startswith("details: --all, ") and str(run) in lines[-1]
    assert "Rates by method" not in said.stdout
    named = kbx_here("analyze", "rates", run)
    assert "Rates by method" in named.stdout and "solved tasks" not in named.stdout


def test_of_many_methods_the_best_are_at_a_glance(kbx_here: Kbx) -> None:
    said = kbx_here("analyze", "published")
    lines = said.stdout.splitlines()
    assert lines[1].startswith("The paper's headline")
    glance = lines[-7:]
    assert glance[0].startswith("4 of 5 methods") and glance[-1].startswith("details: --all")
    assert "GEAK" in glance[2] and "54/176 31 %" in glance[2]
    assert sum("54/176 31 %" in line for line in lines) == 1
    assert "not said" not in said.stdout


def test_nothing_is_cut_in_eighty_columns() -> None:
    over = Interval(value=1.069, low=1.013, high=1.129, n=184)
    solved = Interval(value=176 / 184, low=0.92, high=0.98, n=184)
    one = MethodSummary(
        gpu="NVIDIA H200", method="kernel_agent", tasks=184, solved=solved, core=0.89,
        correct=0.66, speedup=over,
    )  # fmt: skip
    causes = tuple((f"cause{at}", 1000) for at in range(9))
    failures = FailureSummary(gpu="NVIDIA H200", attempts=9999, causes=causes, scopes=())
    target = io.StringIO()
    print_at_a_glance(Summary((one,) * 9, failures), Console(file=target, width=80))
    lines = target.getvalue().splitlines()
    assert len(lines) <= 8 and max(map(cell_len, lines)) <= 80
    assert lines[2].split() == [
        "kernel_agent", "176/184", "96", "%", "[92,", "98]", "89", "%", "66", "%", "1.069x",
        "[1.013,", "1.129]",
    ]  # fmt: skip
    assert "…" not in target.getvalue()
