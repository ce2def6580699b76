"""`kbx certify` says what was shown, and fails where it was not."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx import catalog
from kernelbenchx.catalog import certificates, task_folders
from kernelbenchx.catalog.facts import facts
from kernelbenchx.certify.certifier import LocalCertifier
from kernelbenchx.certify.mutation import running
from kernelbenchx.certify.mutation.results import FOLDER
from kernelbenchx.certify.mutation.summary import MutationSummary, Survivor
from kernelbenchx.certify.problems.problem_certificate import ProblemCertificate
from kernelbenchx.evaluate.calls import cases_of, drawn_cases
from problem_files import write_problem

NAME = "activation/relu"


def _summary(rate: float) -> MutationSummary:
    survivor = Survivor(mutant="line 1: `<` to `<=`", killed=0, seeds=1)
    return MutationSummary(
        task=NAME, mutants=30, rate=rate, seeds=1, survivors=(survivor,), equivalents={"one": "why"}
    )


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
def test_one_task_is_certified_and_counted(kbx_here: Kbx, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "run_mutants", lambda *_: _summary(0.9))
    said = kbx_here("certify", "relu", "--device", "interpreter", "--mutate", "--json")
    assert said.returncode == 0, said.stderr
    document = json.loads(said.stdout)
    assert document["tasks"] == document["certified"] == 1
    assert document["imported"] == 0
    assert document["mutants"] == document["killed"] >= 5
    assert document["sabotages"] == document["sabotages_killed"] >= 5
    assert document["failed"] == []
    mutation = document["mutation"]
    assert (mutation["mutants"], mutation["killed"], mutation["equivalent"]) == (30, 27, 1)
    assert mutation["by_task"][NAME]["survivors"][0]["killed"] == 0


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
def test_a_task_whose_mutants_live_is_imported(
    kbx_here: Kbx, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "load_summary", lambda *_: _summary(0.8))
    said = kbx_here("certify", "relu", "--device", "interpreter")
    assert said.returncode == 1
    assert "80% of automatic mutants killed, 85% are asked for" in said.stdout
    assert "lives in 1 of 1 runs" in said.stdout
    assert "imported" in said.stdout


@pytest.fixture
def problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A problem that tells right from wrong, one that zeros pass, and one that is marked."""
    write_problem(tmp_path, "scaled_relu")
    write_problem(tmp_path, "nothing", forward="relu(0 * x * scale)")
    write_problem(tmp_path, "marked", unsound="zeros pass")
    # Named by --tasks; what the command adds to the environment goes with the test.
    monkeypatch.setenv(task_folders.VARIABLE, "")
    yield tmp_path
    for cached in (facts, catalog.load, cases_of, drawn_cases, certificates._load_certificates):
        cached.cache_clear()


def test_trials_of_added_tasks_are_kept_in_their_folder(
    problems: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(task_folders.VARIABLE, str(problems))
    assert running.results_folder("level1/marked") == problems / "mutation_results"
    assert running.results_folder(NAME) == FOLDER


def test_all_shipped_trials_are_of_tasks_of_the_catalogue() -> None:
    kept = {file.stem.replace(".", "/", 1) for file in FOLDER.glob("*.jsonl")}
    assert kept == set(catalog.function_names())


@pytest.mark.usefixtures("warm_workers")
def test_a_problem_gets_a_grade_and_it_is_kept(kbx_here: Kbx, problems: Path) -> None:
    words = ("level1/scaled_relu", "level1/marked", "--tasks", problems)
    said = kbx_here("certify", *words, "--device", "interpreter", "--json", "--write")
    assert said.returncode == 0, said.stderr
    document = json.loads(said.stdout)
    assert document["grades"] == {"discriminating": 1, "unsound as published": 1}
    assert (document["tasks"], document["certified"], document["imported"]) == (2, 1, 0)
    assert document["mutants"] == document["killed"] >= 5
    assert document["sabotages"] == document["sabotages_killed"] == 15
    assert [one["grade"] for one in document["certificates"]] == [*document["grades"]]
    kept = json.loads((problems / "certificates.json").read_text())
    assert {name: one["grade"] for name, one in kept.items()} == {
        "level1/scaled_relu": "discriminating"
    }
    certificates._load_certificates.cache_clear()
    rows = json.loads(kbx_here("tasks", "level1/*", "--tasks", problems, "--json").stdout)
    grades = {row["name"]: row["grade"] for row in rows if row["number"] == 9001}
    assert grades == {
        "scaled_relu": "discriminating",
        "marked": "unsound as published",
        "nothing": "imported",
    }


@pytest.mark.usefixtures("warm_workers")
def test_a_problem_that_zeros_pass_is_refused(kbx_here: Kbx, problems: Path) -> None:
    words = ("level1/nothing", "level1/marked", "--tasks", problems, "--device", "interpreter")
    said = kbx_here("certify", *words)
    assert said.returncode == 1
    assert "level1/nothing: zeros, normal inputs: passes" in said.stdout
    assert "level1/marked: unsound as published: zeros pass" in said.stdout


@pytest.mark.usefixtures("warm_workers")
def test_a_certificate_is_kept_before_the_next_is_made(
    kbx_here: Kbx, problems: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = LocalCertifier.certify_problem

    def certify(self: LocalCertifier, name: str) -> ProblemCertificate:
        if name == "level1/nothing":
            raise KeyboardInterrupt
        return made(self, name)

    monkeypatch.setattr(LocalCertifier, "certify_problem", certify)
    words = ("level1/scaled_relu", "level1/nothing", "--tasks", problems, "--write")
    assert kbx_here("certify", *words, "--device", "interpreter", "--jobs", "1").returncode == 130
    assert [*json.loads((problems / "certificates.json").read_text())] == ["level1/scaled_relu"]
