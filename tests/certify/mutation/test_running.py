"""Mutants run until a case fails, and never twice under one seed."""

from pathlib import Path

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.certifier import LocalCertifier
from kernelbenchx.certify.mutation.engine import SourceMutant
from kernelbenchx.certify.mutation.running import Catching, load_summary, run_mutants
from kernelbenchx.evaluate.pipeline import Pipeline

NAME = "activation/relu"


def _changed(old: str, new: str) -> str:
    source = witness_source(NAME)
    assert source.count(old) == 1
    return source.replace(old, new)


def test_known_trials_are_not_repeated(pipeline: Pipeline, tmp_path: Path) -> None:
    made = [
        SourceMutant("comparison", "wrong", _changed("v < 0.0", "v > 0.0")),
        SourceMutant("comparison", "the same", _changed("v < 0.0", "v <= 0.0")),
    ]
    found = run_mutants(NAME, LocalCertifier(pipeline).catch_with, 1, tmp_path, made)
    assert found.mutants == 2 and found.rate == 0.5
    assert [one.mutant for one in found.survivors] == ["the same"]
    assert run_mutants(NAME, _refuse, 1, tmp_path, made) == found


def _refuse(_seed: int) -> Catching:
    raise AssertionError("no mutant is run again")


def test_without_results_there_is_no_rate(tmp_path: Path) -> None:
    assert load_summary(NAME, tmp_path).mutants == 0
