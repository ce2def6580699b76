"""KernelBench problems in the catalogue: facts, statements, names they share with other tasks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog import task_folders
from kernelbenchx.catalog.certificates import grade_of, standing, wrong_answers
from kernelbenchx.catalog.digests import certificate_digest
from kernelbenchx.catalog.facts import ProblemFacts, facts
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.core.grades import Grade
from kernelbenchx.spec.problem import Problem

NAME = "level2/gemm_multiply_leaky_relu"
UNSOUND_AS_PUBLISHED = {
    1: {23, 95, 100},
    2: {9, 23, 36, 38, 66, 80, 83, 93},
    3: {3, 7, 11, 12, 18, 24, 28, 35, 48},
}
"""Numbers of problems that may be marked: a trivial answer passes, or they are broken."""


@pytest.mark.parametrize("name", catalog.problem_names())
def test_facts_of_a_problem_are_those_of_the_loaded_one(name: str) -> None:
    task, known = catalog.load(name), facts(name).problem
    assert isinstance(task, Problem) and known is not None
    assert (known.level, known.number, known.unsound) == (task.level, task.number, task.unsound)
    assert name.startswith(f"level{known.level}/")
    assert facts(name).entry == "ModelNew" and facts(name).form == "module"
    call = task.draw(task.checks[0], 0)
    assert {one.name for one in known.weights} >= set(call.state)
    assert len(known.parameters) >= len(call.init)


@pytest.mark.parametrize("name", catalog.problem_names())
def test_a_statement_names_the_class_its_arguments_and_its_weights(name: str) -> None:
    known, text = facts(name).problem, statement(name).text()
    assert known is not None
    assert "class ModelNew(torch.nn.Module):\n    def __init__(self" in text
    for one in known.parameters:
        assert one.name in text
    for weight in known.weights:
        assert f"- `{weight.name}`: {weight.shape}\n" in text
    assert "in training mode" in text
    assert "rounding every intermediate result to float32" in text
    task = catalog.load(name)
    assert not [case.name for case in task.cases(0) if case.name in text]


def test_no_two_problems_have_one_number() -> None:
    problems = [one for one in map(_of, catalog.problem_names()) if one is not None]
    places = [(one.level, one.number) for one in problems]
    assert len(set(places)) == len(places) == len(catalog.problem_names()) > 0


def test_only_problems_with_a_known_flaw_are_marked_unsound() -> None:
    marked = [one for one in map(_of, catalog.problem_names()) if one is not None and one.unsound]
    assert [one for one in marked if one.number not in UNSOUND_AS_PUBLISHED[one.level]] == []


@pytest.mark.parametrize("name", catalog.problem_names())
def test_no_problem_of_the_catalogue_lacks_its_proof(name: str) -> None:
    """Each is shown to tell right from wrong, or is marked with its known flaw."""
    grade, marked = grade_of(name), _of(name)
    assert grade is not Grade.IMPORTED, f"kbx certify {name} --write"
    assert marked is not None and (grade is Grade.UNSOUND) == bool(marked.unsound)


def test_a_certificate_of_another_file_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    assert grade_of(NAME) is Grade.WITNESSED and wrong_answers(NAME) > 0
    monkeypatch.setattr("kernelbenchx.catalog.certificates.certificate_digest", lambda _name: "x")
    assert grade_of(NAME) is Grade.IMPORTED


def _of(name: str) -> ProblemFacts | None:
    return facts(name).problem


def test_function_tasks_and_problems_are_the_whole_catalogue() -> None:
    functions, problems = catalog.function_names(), catalog.problem_names()
    assert sorted((*functions, *problems)) == list(catalog.names())
    assert NAME in problems and "activation/gelu" in functions
    assert all(facts(name).problem is None for name in functions)


MARKED = '''"""The sum of all elements, which is {what} as published."""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, wide: int, heads: int, twice: bool, steps: tuple[int, ...]) -> None:
        super().__init__()
        self.one = nn.Linear(wide, 4 * wide)
        self.two = nn.Parameter(torch.randn(wide // heads, steps[1], 7))
        self.register_buffer("odd", torch.zeros(wide * wide - wide + 1))
        if wide > 8:
            self.bias = nn.Parameter(torch.zeros(wide))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.one(x).sum() + self.two.sum()


TASK = problem(
    Model,
    level=1,
    number=9001,
    init=lambda rows, wide: (wide, 2, True, (3, 5)),
    inputs=lambda x, rows, wide: (x(rows, wide),),
    published={{"rows": 64, "wide": 64}},
    small=({{"rows": 3, "wide": 6}}, {{"rows": 1, "wide": 10}}),
    unsound={unsound!r},
)
'''


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Two problems of level 1: one is called as a task is, one is unsound."""
    folder = tmp_path / "tasks" / "level1"
    folder.mkdir(parents=True)
    (folder / "gelu.py").write_text(MARKED.format(what="sound", unsound=""))
    (folder / "constant.py").write_text(MARKED.format(what="unsound", unsound="zeros pass"))
    monkeypatch.setenv(task_folders.VARIABLE, str(tmp_path))
    yield tmp_path
    facts.cache_clear()
    catalog.load.cache_clear()


@pytest.mark.usefixtures("added")
def test_a_bare_name_means_the_function_task_where_there_is_one() -> None:
    assert catalog.select("gelu") == ("activation/gelu",)
    assert catalog.find("gelu") == "activation/gelu"
    assert catalog.select("level1/gelu") == ("level1/gelu",)
    assert catalog.select("constant") == ("level1/constant",)


@pytest.mark.usefixtures("added")
def test_shapes_of_weights_are_said_in_terms_of_the_arguments() -> None:
    known = facts("level1/gelu").problem
    assert known is not None
    assert {one.name: one.shape for one in known.weights} == {
        "two": "(wide // heads, steps[1], 7)",
        "one.weight": "(4 * wide, wide)",
        "one.bias": "(4 * wide,)",
        "odd": "(31,) for `ModelNew(6, 2, True, (3, 5))`",
        "bias": "(wide,), for some arguments only",
    }
    assert known.constructor == (
        "__init__(self, wide: int, heads: int, twice: bool, steps: tuple[int, ...]) -> None"
    )


@pytest.mark.usefixtures("added")
def test_a_marked_problem_is_unsound_and_no_certificate_stands() -> None:
    assert grade_of("level1/constant") == grade_of("level1/constant:bf16") == Grade.UNSOUND
    assert facts("level1/constant").unsound == "zeros pass"
    assert not standing("level1/constant")
    assert grade_of("level1/gelu") == Grade.IMPORTED and not facts("level1/gelu").unsound


def test_a_certificate_of_a_problem_depends_on_a_witness_only_where_there_is_one(
    added: Path,
) -> None:
    from kernelbenchx.catalog import digests

    before = certificate_digest("level1/gelu")
    witness = added / "witnesses" / "level1" / "gelu.py"
    witness.parent.mkdir(parents=True)
    witness.write_text("# a kernel\n")
    digests._text.cache_clear()
    assert certificate_digest("level1/gelu") != before
    (added / "tasks" / "math").mkdir()
    (added / "tasks" / "math" / "square.py").write_text("from kernelbenchx.spec import Task\n")
    catalog._files_in.cache_clear()
    with pytest.raises(BrokenTask, match="witnesses/math/square"):
        certificate_digest("math/square")
    catalog._files_in.cache_clear()
