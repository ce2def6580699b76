"""The task printed in CONTRIBUTING.md is one and its witness solves it; no family is left out."""

import importlib
import importlib.util
import inspect
import pkgutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kernelbenchx.attacks.attack import SUITE
from kernelbenchx.certify.wrong_answers import kill_mutant
from kernelbenchx.evaluate.calls import DrawnCase
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec import Mutant, Task, families
from kernelbenchx.spec.problem import Problem

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "CONTRIBUTING.md"
PARTS = ROOT / "docs" / "reference" / "task-files.md"


def _shown(number: int) -> str:
    return DOCUMENT.read_text(encoding="utf-8").split("```python\n")[number].partition("```")[0]


@pytest.fixture
def task(tmp_path: Path) -> Any:
    file = tmp_path / "square.py"
    file.write_text(_shown(1), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("square", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.TASK


def test_its_mutants_are_killed_and_its_reference_is_not(task: Task) -> None:
    drawn = []
    for case in task.cases(1):
        call = task.draw(case, seed=1)
        drawn.append(DrawnCase(case, call, truth_of(task, call)))
    for mutant in task.wrong_answers:
        if isinstance(mutant, Mutant):
            assert kill_mutant(task, mutant, drawn, seed=1).killed, mutant.name
    right = Mutant("right", lambda input: (input.double() * input.double()).to(input.dtype))
    assert not kill_mutant(task, right, drawn, seed=1).killed


def test_its_witness_is_a_plain_submission(task: Task) -> None:
    source = _shown(2)
    assert f"def {task.entry}(" in source and "kernelbenchx" not in source


def test_the_attack_it_shows_is_one_of_the_suite() -> None:
    shown = DOCUMENT.read_text(encoding="utf-8").partition("```\n")[2]
    header = shown[shown.index('"""') :].partition("```")[0]
    (found,) = [one for one in SUITE.glob("*.py") if one.read_text("utf-8").startswith(header)]
    assert f"kbx redteam {found.stem}" in DOCUMENT.read_text(encoding="utf-8")


def _listed(document: str, part: str) -> set[str]:
    table = document.partition(f"<!-- {part} -->")[2].partition(f"<!-- /{part} -->")[0]
    return {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}


def _wrongly_listed(document: str) -> set[str]:
    """Modules of families that stand in the wrong table, in none, or in one without existing."""
    found: dict[str, set[str]] = {"families": set(), "helpers": set()}
    for one in pkgutil.iter_modules(families.__path__):
        module = importlib.import_module(f"{families.__name__}.{one.name}")
        found["families" if _makes_tasks(module) else "helpers"].add(one.name)
    return {name for part, names in found.items() for name in names ^ _listed(document, part)}


def _makes_tasks(module: ModuleType) -> bool:
    """One that takes a task and changes it is a helper."""
    own = [one for one in vars(module).values() if inspect.isfunction(one)]
    return any(
        one.__module__ == module.__name__
        and not one.__name__.startswith("_")
        and one.__annotations__.get("return") in (Task, Problem)
        and one.__annotations__.get("task") is not Task
        for one in own
    )


def test_it_lists_every_family_and_every_helper() -> None:
    assert _wrongly_listed(PARTS.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("name", ["elementwise_pair", "corners"])
def test_a_family_or_helper_that_is_not_listed_is_named(name: str) -> None:
    text = PARTS.read_text(encoding="utf-8")
    assert _wrongly_listed(text.replace(f"| `{name}` |", f"| `{name}_old` |")) == {
        name,
        f"{name}_old",
    }


def test_a_helper_among_the_families_is_named() -> None:
    text = PARTS.read_text(encoding="utf-8")
    row = "| `corners` | calls |\n"
    assert "corners" in _wrongly_listed(
        text.replace("<!-- /families -->", row + "<!-- /families -->")
    )
