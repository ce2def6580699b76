"""The task printed in CONTRIBUTING.md is one, and its witness solves it."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.attacks.attack import attacks
from kernelbenchx.certify.answers import kill_mutant
from kernelbenchx.evaluate.calls import Drawn
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec import Mutant, Patch, Task

DOCUMENT = Path(__file__).resolve().parents[1] / "CONTRIBUTING.md"


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
    for case in task.checks:
        call = task.draw(case, seed=1)
        drawn.append(Drawn(case, call, truth_of(task, call)))
    for mutant in task.mutants:
        if isinstance(mutant, Mutant):
            assert kill_mutant(task, mutant, drawn, seed=1).killed, mutant.name
    right = Mutant("right", lambda input: (input.double() * input.double()).to(input.dtype))
    assert not kill_mutant(task, right, drawn, seed=1).killed


def test_its_patches_apply_to_its_witness(task: Task) -> None:
    source = _shown(2)
    assert f"def {task.entry}(" in source and "kernelbenchx" not in source
    patches = [one for one in task.mutants if isinstance(one, Patch)]
    assert patches
    assert [source.count(one.old) for one in patches] == [1] * len(patches)


def test_the_attack_it_shows_is_one_of_the_suite() -> None:
    shown = DOCUMENT.read_text(encoding="utf-8").partition("```\n")[2]
    header = shown[shown.index('"""') :].partition("```")[0]
    (found,) = [one for one in attacks() if one.source.startswith(header)]
    assert f"kbx redteam {found.name}" in DOCUMENT.read_text(encoding="utf-8")
