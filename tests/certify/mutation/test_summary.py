"""The rate is a mean over seeds; equivalents are left out, with a reason."""

import json
from pathlib import Path

import pytest

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.mutation import summary as module
from kernelbenchx.certify.mutation.engine import mutants
from kernelbenchx.certify.mutation.results import MutantTrial, ResultsFile
from kernelbenchx.certify.mutation.summary import summarize, witness_digest
from tiers import mark_slow

EQUIVALENTS = json.loads(module.EQUIVALENTS.read_text())
SOURCE = "def f(x):\n    return x + 1 - 2 * x\n"


def _begun(folder: Path) -> ResultsFile:
    results = ResultsFile.load(folder, "math/add", "d")
    results.begin()
    return results


def _summary(tmp_path: Path, share: int, monkeypatch: pytest.MonkeyPatch) -> module.MutationSummary:
    made = mutants(SOURCE)
    results = _begun(tmp_path)
    for number, one in enumerate(made):
        for seed in (1, 2):
            results.add(MutantTrial(one.description, seed, "case" if number < share else ""))
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


@pytest.mark.parametrize("task", mark_slow(list(EQUIVALENTS), fast=5))
def test_every_equivalent_names_a_mutant_and_a_reason(task: str) -> None:
    entry, source = EQUIVALENTS[task], witness_source(task)
    assert all(reason.endswith(".") for reason in entry["mutants"].values())
    if entry["witness"] == witness_digest(source):
        assert set(entry["mutants"]) <= {one.description for one in mutants(source)}
