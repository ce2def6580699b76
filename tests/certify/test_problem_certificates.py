"""A KernelBench problem gets the grade that was shown of it, and a lower one for each flaw."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog import task_folders
from kernelbenchx.catalog.facts import facts
from kernelbenchx.certify.certificate import Kill
from kernelbenchx.certify.problems.certifying import certify_problem
from kernelbenchx.certify.problems.graph_mutants import kill_graph_mutant
from kernelbenchx.certify.problems.judged_case import JudgedCase
from kernelbenchx.certify.problems.problem_certificate import kill_faults
from kernelbenchx.evaluate.calls import ablated_cases, cases_of, drawn_cases, repeated_case
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.spec.forward_interceptor import ForwardInterceptor, name_of
from kernelbenchx.spec.problem import Problem
from problem_files import WITNESS, write_problem

SEED = 3


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    write_problem(tmp_path, "scaled_relu")
    monkeypatch.setenv(task_folders.VARIABLE, str(tmp_path))
    yield tmp_path
    for one in (facts, catalog.load, cases_of, drawn_cases, ablated_cases, repeated_case):
        one.cache_clear()


def _added(folder: Path, name: str, **parts: str) -> str:
    written = write_problem(folder, name, **parts)
    catalog._files_in.cache_clear()
    return written


def test_a_problem_without_a_witness_is_discriminating(folder: Path, pipeline: Pipeline) -> None:
    name = _added(folder, "plain_one")
    found = certify_problem(name, pipeline)
    assert (found.grade, found.problems, found.certified) == ("discriminating", (), True)
    assert found.count_killed("mutant") == found.count("mutant") >= 5
    # Five trivial answers on normal, wide and published inputs.
    assert found.count_killed("sabotage") == found.count("sabotage") == 15
    assert set(found.honest) == {"torch", "reordered"}
    assert all(0.0 < share < 1.0 for share in found.honest.values())


def test_a_witness_that_passes_is_recorded_and_one_that_fails_is_named(
    folder: Path, pipeline: Pipeline
) -> None:
    found = certify_problem(_added(folder, "solved", witness=WITNESS), pipeline)
    assert (found.grade, found.witness, found.problems) == ("witnessed", "correct", ())
    assert 0.0 <= found.worst < 1.0
    wrong = WITNESS.replace("scale + 1.0", "scale + 2.0")
    found = certify_problem(_added(folder, "unsolved", witness=wrong), pipeline)
    assert (found.grade, found.witness, found.certified) == ("discriminating", "wrong", True)
    assert "the witness is not correct" in found.problems[0]


@pytest.mark.parametrize(
    ("forward", "passing"),
    [
        ("relu(0 * x * scale)", "zeros"),
        ("relu(0 * x * scale) + 3", "the mean of another answer"),
        ("relu(0 * x + scale)", "the answer to another input"),
        ("relu(x + 0 * scale)", "the answer with other weights"),
    ],
)
def test_a_problem_that_a_trivial_answer_passes_is_not_certified(
    forward: str, passing: str, folder: Path, pipeline: Pipeline
) -> None:
    found = certify_problem(_added(folder, "trivial", forward=forward), pipeline)
    assert (found.grade, found.certified) == ("imported", False)
    for values in ("normal", "wide", "published"):
        assert f"{passing}, {values} inputs: passes" in found.problems


def test_a_trivial_answer_must_fail_on_every_set_of_inputs(
    folder: Path, pipeline: Pipeline
) -> None:
    """As published, no input is negative: there the answer is all zeros."""
    name = _added(folder, "negative", forward="relu(-x * scale.abs())")
    found = certify_problem(name, pipeline)
    assert [one for one in found.problems if one.startswith("zeros")] == [
        "zeros, published inputs: passes"
    ]


def test_a_random_reference_is_named(folder: Path, pipeline: Pipeline) -> None:
    name = _added(folder, "random", forward="relu(x * scale * torch.rand(()))")
    found = certify_problem(name, pipeline)
    assert found.grade == "imported"
    assert any("the reference is not deterministic" in one for one in found.problems)


def test_an_unsound_problem_is_neither_tried_nor_certified(
    folder: Path, pipeline: Pipeline
) -> None:
    name = _added(folder, "marked", unsound="zeros pass")
    found = certify_problem(name, pipeline)
    assert (found.grade, found.unsound) == ("unsound as published", "zeros pass")
    assert not found.certified and found.problems == () == found.kills


def test_sixteen_bits_are_certified_under_their_own_name(folder: Path, pipeline: Pipeline) -> None:
    name = _added(folder, "narrow")
    found = certify_problem(f"{name}:bf16", pipeline)
    assert found.task == f"{name}:bf16"
    assert all(share < 1.0 for share in found.honest.values())
    assert found.count_killed("sabotage") == 15


class _Spoiling(ForwardInterceptor):  # type: ignore[no-untyped-call]
    def __init__(self, by: float) -> None:
        super().__init__()
        self._by = by

    def answer(self, func, args, kwargs):  # type: ignore[no-untyped-def]
        if self._by != self._by:
            raise RuntimeError("cannot be run")
        result = func(*args, **kwargs)
        return result * (1 + self._by) if name_of(func) == "relu" else result


@dataclass(frozen=True)
class _Mutant:
    by: float
    name: str = "relu off"

    @contextmanager
    def mode(self) -> Iterator[None]:
        with _Spoiling(self.by):
            yield


@pytest.mark.parametrize(
    ("by", "killed"),
    [(0.01, True), (1e-12, False), (0.0, None), (float("nan"), None)],
)
def test_a_mutant_is_killed_lives_or_changes_nothing(
    by: float, killed: bool | None, folder: Path
) -> None:
    name = _added(folder, "mutated")
    task = catalog.load(name)
    assert isinstance(task, Problem)
    cases = [JudgedCase(task, one) for one in drawn_cases(name, SEED)]
    found = kill_graph_mutant(_Mutant(by), cases)
    assert (None if found is None else found.killed) is killed
    if found is not None:
        assert found.kind == "mutant" and bool(found.by) is killed


def test_a_bias_in_front_of_a_normalization_changes_nothing(
    folder: Path, pipeline: Pipeline
) -> None:
    """In float64 it moves last bits; only a change in exact arithmetic is a mutant."""
    centred = "nn.functional.batch_norm(x + scale, None, None, training=True)"
    found = certify_problem(_added(folder, "centred", forward=centred), pipeline)
    alive = {one.name for one in found.kills if one.kind == "mutant" and not one.killed}
    assert alive == set() and found.ineffective >= 1


def _kills(dead: int, alive: int) -> tuple[Kill, ...]:
    made = [True] * dead + [False] * alive
    return tuple(Kill(name=f"m{n}", kind="mutant", killed=one) for n, one in enumerate(made))


def test_two_of_a_hundred_mutants_may_live_and_no_more() -> None:
    assert kill_faults(_kills(98, 2)) == []
    (said,) = kill_faults(_kills(97, 3))
    assert said == "97 of 100 mutants die, 98% are asked for; alive: m97; m98; m99"
    assert kill_faults(()) == ["no mutant of its graph changes an answer"]
    trivial = Kill(name="zeros, wide inputs", kind="sabotage", killed=False)
    assert kill_faults((*_kills(9, 0), trivial)) == ["zeros, wide inputs: passes"]


def test_an_answer_of_another_shape_is_rejected(folder: Path) -> None:
    name = _added(folder, "shaped")
    task = catalog.load(name)
    assert isinstance(task, Problem)
    case = JudgedCase(task, drawn_cases(name, SEED)[0])
    assert case.verdict(case.native).ok
    assert not case.verdict((case.native[0][:1],)).ok
    assert not case.verdict((torch.zeros(()),)).ok
