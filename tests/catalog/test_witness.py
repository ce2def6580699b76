import ast

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.spec import Patch

WITNESSED = [name for name in catalog.names() if catalog.witness_path(name).is_file()]


@pytest.mark.parametrize("name", WITNESSED)
def test_a_witness_is_a_submission_that_knows_nothing_of_this_package(name: str) -> None:
    source, task = witness_source(name), catalog.load(name)
    assert "kernelbenchx" not in source
    kind = ast.ClassDef if task.form == "module" else ast.FunctionDef
    defined = {node.name for node in ast.parse(source).body if isinstance(node, kind)}
    assert task.entry in defined


@pytest.mark.parametrize("name", WITNESSED)
def test_every_patch_of_a_task_applies_to_its_witness_once(name: str) -> None:
    source = witness_source(name)
    patches = [one for one in catalog.load(name).mutants if isinstance(one, Patch)]
    assert [source.count(one.old) for one in patches] == [1] * len(patches)


def test_every_witness_belongs_to_a_task() -> None:
    folder = catalog.ROOT.parent / "witnesses"
    found = {f"{path.parent.name}/{path.stem}" for path in folder.rglob("*.py")}
    assert set(catalog.function_names()) <= found <= set(catalog.names())


def test_a_task_without_a_witness_is_an_error_that_names_the_file() -> None:
    with pytest.raises(BrokenTask, match=r"witnesses/activation/nothing\.py"):
        witness_source("activation/nothing")
