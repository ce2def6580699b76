"""A certificate is refused for each thing that a task may lack."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import kernelbenchx.tasks
from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify import certifying
from kernelbenchx.certify.certifying import _kill_patch, certify
from kernelbenchx.evaluate.calls import ablated_cases, drawn_cases
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.spec import Mutant, Patch, Task, grid

EXTRA = Path(__file__).parents[1] / "tasks" / "extra" / "tasks"
NAME = "testing/scaled_linear"


@pytest.fixture(autouse=True)
def with_the_extra_task(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(kernelbenchx.tasks, "__path__", [str(catalog.ROOT), str(EXTRA)])
    monkeypatch.setattr(catalog, "path_of", lambda name: EXTRA / f"{name}.py")
    yield
    for cached in (facts, drawn_cases, ablated_cases):
        cached.cache_clear()


def _problems(
    change: Mapping[str, object], pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> str:
    changed: Task = replace(catalog.load(NAME), **change)  # type: ignore[arg-type]
    monkeypatch.setattr(catalog, "load", lambda _name: changed)
    drawn_cases.cache_clear()
    ablated_cases.cache_clear()
    return "; ".join(certify(NAME, pipeline).problems)


def test_a_mutant_that_lives_is_named(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    task = catalog.load(NAME)
    harmless = Mutant("the reference again", task.reference)
    mutants = (*task.mutants[:4], harmless)
    said = _problems({"mutants": mutants}, pipeline, monkeypatch)
    assert said == "mutant 'the reference again' lives"


def test_a_patch_that_changes_nothing_lives(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = catalog.load(NAME)
    harmless = Patch("the same sum", "tl.sum(u * v, axis=0)", "tl.sum(v * u, axis=0)")
    said = _problems({"mutants": (*task.mutants[:4], harmless)}, pipeline, monkeypatch)
    assert "patch 'the same sum' lives" in said


def test_a_patch_that_is_right_on_small_cases_is_tried_on_the_large_ones(
    pipeline: Pipeline,
) -> None:
    everywhere, later = (
        _kill_patch(NAME, Patch("short sums", "mask = at < inner", new), pipeline)
        for new in ("mask = at < 1", "mask = at < tl.minimum(inner, 7)")
    )
    assert everywhere.killed and later.killed
    assert everywhere.by != later.by


def test_too_few_mutants_and_uncovered_codes_are_named(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = catalog.load(NAME)
    change = {"mutants": task.mutants[:2], "audit": ("W-ARG",)}
    said = _problems(change, pipeline, monkeypatch)
    assert "2 mutants" in said
    assert "no mutant covers the audit code W-ARG" in said


def test_a_witness_that_is_wrong_is_named(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = witness_source(NAME).replace("scale * tl.sum", "tl.sum")
    monkeypatch.setattr(certifying, "witness_source", lambda _name: source)
    said = "; ".join(certify(NAME, pipeline).problems)
    assert "the witness is not correct" in said


def test_a_dtype_that_is_timed_but_never_checked_is_named(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    timings = grid(rows=(8,), inner=(8,), outer=(8,), dtype=(torch.float16,))
    said = _problems({"timings": timings}, pipeline, monkeypatch)
    assert "timed but never checked: torch.float16" in said


def test_a_reference_that_is_not_deterministic_is_named(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    task = catalog.load(NAME)

    class ScaledLinear(task.reference):  # type: ignore[misc, name-defined]
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            result: torch.Tensor = super().forward(x) + torch.rand(())
            return result

    said = _problems({"reference": ScaledLinear}, pipeline, monkeypatch)
    assert "the reference is not deterministic" in said
