"""Near misses are small edits that apply to the witnesses as they stand."""

import ast
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.nearmisses.near_miss import SUITE, NearMiss, near_misses

LEAST = 3


@pytest.mark.parametrize("task", catalog.function_names())
def test_every_task_has_near_misses_that_apply(task: str) -> None:
    found = near_misses(task)
    assert len(found) >= LEAST
    assert len({one.clause for one in found}) == len(found)
    for one in found:
        assert ast.dump(ast.parse(one.source())) != ast.dump(ast.parse(witness_source(task)))


@pytest.mark.parametrize("task", [one for one in catalog.problem_names() if near_misses(one)])
def test_near_misses_of_problems_apply(task: str) -> None:
    for one in near_misses(task):
        assert ast.dump(ast.parse(one.source())) != ast.dump(ast.parse(witness_source(task)))


def test_no_entry_names_a_task_that_does_not_exist() -> None:
    import tomllib

    known = {
        f"{path.stem}/{name}"
        for path in SUITE.glob("*.toml")
        for name in tomllib.loads(path.read_text())
    }
    assert known <= set(catalog.names())


def test_a_text_that_is_not_in_the_witness_is_an_error() -> None:
    stale = NearMiss("activation/relu", "none", (("no such text", ""),))
    with pytest.raises(BrokenTask, match="occurs 0 times"):
        stale.source()


def test_a_task_without_a_file_has_none(tmp_path: Path) -> None:
    assert near_misses("activation/relu", tmp_path) == ()
    assert near_misses("activation/relu") != ()
