"""Results are kept trial by trial, for one state of task and witness."""

import json
from pathlib import Path

import pytest

from kernelbenchx.certify.mutation import summary as module
from kernelbenchx.certify.mutation.engine import mutants
from kernelbenchx.certify.mutation.results import ResultsFile, Trial
from kernelbenchx.certify.mutation.summary import summarize, witness_digest

SOURCE = "def f(x):\n    return x + 1 - 2 * x\n"
KILLED = Trial("one", 1, "a case", True)
LIVED = Trial("two", 1, "")


def _begun(folder: Path, digest: str = "d") -> ResultsFile:
    results = ResultsFile.load(folder, "math/add", digest)
    results.begin()
    return results


def test_a_killed_process_loses_at_most_the_line_it_was_writing(tmp_path: Path) -> None:
    results = _begun(tmp_path)
    results.add(KILLED)
    results.add(LIVED)
    with results.path.open("a") as file:
        file.write('{"mutant": "thr')
    again = _begun(tmp_path)
    assert again.trials == {("one", 1): KILLED, ("two", 1): LIVED}
    assert len(again.path.read_text().splitlines()) == 3


def test_results_of_another_state_are_dropped(tmp_path: Path) -> None:
    _begun(tmp_path).add(KILLED)
    assert _begun(tmp_path, "other").trials == {}


def _summary(tmp_path: Path, share: int, monkeypatch: pytest.MonkeyPatch) -> module.MutationSummary:
    made = mutants(SOURCE)
    results = _begun(tmp_path)
    for number, one in enumerate(made):
        for seed in (1, 2):
            results.add(Trial(one.description, seed, "case" if number < share else ""))
    monkeypatch.setattr(module, "EQUIVALENTS", tmp_path / "none.json")
    return summarize("math/add", SOURCE, made, results)


def test_the_rate_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = len(mutants(SOURCE))
    every = _summary(tmp_path / "all", count, monkeypatch)
    assert every.rate == 1 and every.seeds == 2 and not every.survivors and not every.problem
    half = _summary(tmp_path / "half", count // 2, monkeypatch)
    assert len(half.survivors) == count - count // 2
    assert "automatic mutants killed" in half.problem


def test_mutants_that_were_never_run_certify_nothing(tmp_path: Path) -> None:
    found = summarize("math/add", SOURCE, mutants(SOURCE), _begun(tmp_path))
    assert found.problem == "automatic mutants were not run: add --mutate"


def test_equivalents_count_only_for_the_witness_they_were_written_for(tmp_path: Path) -> None:
    path = tmp_path / "equivalents.json"
    entry = {"witness": witness_digest(SOURCE), "mutants": {"one": "no lane is masked"}}
    path.write_text(json.dumps({"math/add": entry}))
    assert module.known_equivalents("math/add", SOURCE, path) == {"one": "no lane is masked"}
    assert module.known_equivalents("math/add", SOURCE + "\n", path) == {}
    assert module.known_equivalents("math/div", SOURCE, path) == {}
