"""Whoever only reads results installs neither torch nor triton."""

import json
from pathlib import Path

import pytest

import bare_environment
from bare_environment import Environment
from kernelbenchx.cli.analysis_registry import ANALYSES
from many_runs import write_run

COUNT = "select count(*) as n from evaluations"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return bare_environment.make(tmp_path_factory.mktemp("bare"))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The same kernels on two cards."""
    folders = []
    for gpu in ("NVIDIA H200", "NVIDIA A100-PCIE-40GB"):
        folder = tmp_path_factory.mktemp("run")
        write_run(folder, tasks=18, methods=2, rounds=2, samples=1, gpu=gpu)
        folders.append(str(folder))
    return folders


@pytest.mark.parametrize("name", ["torch", "triton", "ml_dtypes", "radon", "pytest"])
def test_nothing_of_an_extra_is_there(bare: Environment, name: str) -> None:
    done = bare.run("-c", f"import {name}")
    assert done.returncode != 0
    assert "ModuleNotFoundError" in done.stderr


def test_the_package_itself_is_there(bare: Environment) -> None:
    done = bare.run("-m", "kernelbenchx", "--help")
    assert done.returncode == 0, done.stderr
    assert "Commands:" in done.stdout


def test_runs_are_asked(bare: Environment, runs: list[str]) -> None:
    done = bare.run("-m", "kernelbenchx", "query", *runs, COUNT)
    assert done.returncode == 0, done.stderr
    assert "144" in done.stdout


def test_runs_are_analysed_in_every_way(bare: Environment, runs: list[str], tmp_path: Path) -> None:
    done = bare.run("-m", "kernelbenchx", "analyze", *runs, "--json", "--csv", str(tmp_path))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["analyses"]
    # No model was asked, no kernel is for a KernelBench problem, and no GPU saw two methods.
    unknown = {"cost", "levels", "compare"} - set(found)
    assert list(found) == [name for name in ANALYSES if name not in unknown]
    assert {"cost", "levels"} <= unknown
    assert all(any(table["rows"] for table in tables) for tables in found.values())
    assert len(list(tmp_path.glob("*.csv"))) == sum(map(len, found.values()))
    quality = [table for table in found["failures"] if table["name"].startswith("quality_")]
    assert all("kernelbenchx[metrics]" in table["notes"][0] for table in quality), "needs radon"


def test_analyses_are_printed_also_of_the_published_results(
    bare: Environment, runs: list[str]
) -> None:
    done = bare.run("-m", "kernelbenchx", "analyze", "hardware", *runs, "published")
    assert done.returncode == 0, done.stderr
    assert "NVIDIA A100-PCIE-40GB" in done.stdout and "Kendall" in done.stdout
    assert "6 GPUs" in done.stdout


def test_a_report_is_written(bare: Environment, runs: list[str], tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = bare.run("-m", "kernelbenchx", "report", *runs, "--out", str(site))
    assert done.returncode == 0, done.stderr
    assert (site / "index.html").is_file()


def test_what_does_need_torch_says_so_in_one_line(bare: Environment, tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text("def relu(input): return input\n")
    done = bare.run("-m", "kernelbenchx", "eval", "relu.py", "--out", "run", folder=tmp_path)
    assert done.returncode == 2
    assert "install the extra" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("part", ["--cases", "--space"])
def test_what_a_task_draws_needs_torch_and_says_so(bare: Environment, part: str) -> None:
    done = bare.run("-m", "kernelbenchx", "show", "gelu", part)
    assert done.returncode == 2
    assert "install the extra" in done.stderr and done.stderr.count("\n") == 1
    assert bare.run("-m", "kernelbenchx", "show", "gelu").returncode == 0


def test_sources_are_checked(bare: Environment, tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text("def relu(input): return input\n")
    done = bare.run(
        "-m", "kernelbenchx", "eval", "relu.py", "--stage", "check", "--json", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)["results"]
    assert result["outcome"]["kind"] == "rejected"
    assert result["environment"]["torch"] == ""
