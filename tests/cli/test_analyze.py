import csv
import json
from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx.cli.analyses import ANALYSES
from many_runs import write_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    write_run(folder, tasks=40, methods=3, rounds=2, samples=2)
    return folder


def test_every_analysis_has_tables_for_people(kbx: Kbx, run: Path) -> None:
    said = kbx("analyze", run)
    assert said.returncode == 0, said.stderr
    assert "480 evaluations of 40 tasks" in said.stdout
    for name in ANALYSES:
        assert f"\n{name} ─" in said.stdout
    assert "Rates by method" in said.stdout and "Wilson" in said.stdout
    assert "card: NVIDIA H200" in said.stdout


def test_json_is_one_document_with_every_cell(kbx: Kbx, run: Path) -> None:
    said = kbx("analyze", "rates", "speed", run, "--json", "--p", 1.25, "--p", 3)
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)
    assert (found["evaluations"], found["runs"]) == (480, [str(run)])
    assert list(found["analyses"]) == ["rates", "speed"]
    rates = {table["name"]: table for table in found["analyses"]["rates"]}
    assert len(rates["by_method"]["rows"]) == 3
    assert rates["by_method"]["about"] and rates["by_method"]["columns"]
    speed = {table["name"]: table for table in found["analyses"]["speed"]}
    assert {row["p"] for row in speed["fast_p"]["rows"]} == {1.25, 3.0}


def test_tables_as_files_named_after_them(kbx: Kbx, run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "tables"
    said = kbx("analyze", "rates", "failures", run, "--csv", folder)
    assert said.returncode == 0 and said.stdout == ""
    assert f"tables in {folder}" in said.stderr.replace("\n", "")
    names = {path.name for path in folder.iterdir()}
    assert {"rates_by_method.csv", "failures_by_method.csv", "failures.csv"} <= names
    with (folder / "rates_by_method.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 and 0 < float(rows[0]["correct"]) < 1


def test_several_runs_are_one(kbx: Kbx, run: Path, tmp_path: Path) -> None:
    write_run(tmp_path / "other", tasks=40, methods=3, rounds=2, samples=2, gpu="NVIDIA L20")
    both = json.loads(kbx("analyze", "rates", run, tmp_path / "other", "--json").stdout)
    cards = {row["card"] for row in both["analyses"]["rates"][0]["rows"]}
    assert cards == {"NVIDIA H200", "NVIDIA L20"}
    twice = json.loads(kbx("analyze", "rates", run, run, "--json").stdout)
    assert twice["evaluations"] == 480


def test_the_published_results_stand_in_for_a_run(kbx: Kbx) -> None:
    said = kbx("analyze", "rates", "published", "--json")
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)
    rows = {row["method"]: row for row in found["analyses"]["rates"][0]["rows"]}
    assert round(176 * rows["GEAK"]["called"]) == 121
    assert round(176 * rows["GEAK"]["correct"]) == 54
    assert "not which tasks" in found["notes"][0]


def test_csv_that_cannot_be_written_is_said_in_a_line(kbx: Kbx, run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = kbx("analyze", "hardware", run, "--csv", tmp_path / "file" / "below")
    assert said.returncode == 2 and said.stderr.count("\n") <= 2
    assert "cannot write" in said.stderr and "Traceback" not in said.stderr


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["rates"], "name a run"),
        (["nowhere"], "not a run"),
        (["rate", "x"], "did you mean rates?"),
        (["rates", "publishd"], "did you mean published?"),
        (["published", "--p", "-1"], "--p"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_is_said_in_a_line_or_two(kbx: Kbx, words: list[str], hint: str) -> None:
    said = kbx("analyze", *words)
    assert said.returncode == 2 and said.stdout == ""
    assert hint in said.stderr and "Traceback" not in said.stderr


def test_a_folder_without_a_run(kbx: Kbx, tmp_path: Path) -> None:
    said = kbx("analyze", tmp_path)
    assert said.returncode == 2 and "no run.sqlite" in said.stderr
