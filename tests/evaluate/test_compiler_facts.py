"""Needs of kernels, from the words of a process that is not trusted."""

from typing import Any

import pytest

from kernelbenchx.core.evaluation import KernelFacts
from kernelbenchx.evaluate.compiler_facts import MOST, facts_of, needs_of


def said(name: str = "k", **fields: Any) -> dict[str, Any]:
    return {"name": name, "ok": True, "registers": 20, "spills": 0, "shared_bytes": 64, **fields}


def test_what_the_compiler_said_is_kept() -> None:
    assert facts_of([said()], "sm_90") == [
        KernelFacts(name="k", ok=True, target="sm_90", registers=20, spills=0, shared_bytes=64)
    ]
    error = {"message": "no", "line": 3, "column": 5}
    (failed,) = facts_of([said(ok=False, registers=None, error=error)], "sm_90")
    assert (failed.ok, failed.error, failed.line, failed.column) == (False, "no", 3, 5)
    assert failed.registers == 0
    assert facts_of([said(ok=False, skipped=True)], "sm_90")[0].ok


@pytest.mark.parametrize("kernel", [None, "k", {}, {"name": 5}, []])
def test_what_has_no_name_is_no_kernel(kernel: object) -> None:
    assert facts_of([kernel, said()], "sm_90") == facts_of([said()], "sm_90")


@pytest.mark.parametrize("number", [-1, 1 << 40, "many", 2.5, True, None, [1]])
def test_what_is_no_count_is_none(number: object) -> None:
    (found,) = facts_of([said(registers=number, error=number)], "sm_90")
    assert (found.registers, found.error, found.line) == (0, "", 0)


def test_needs_are_of_what_compiled_each_once_by_name() -> None:
    given = [said("b"), said("a", registers=9), said("b"), said("a"), said("c", ok=False)]
    found = needs_of(given, "sm_90")
    assert [(one.name, one.registers) for one in found] == [("a", 20), ("a", 9), ("b", 20)]


def test_of_very_many_those_that_need_most_stay() -> None:
    found = needs_of([said(registers=number) for number in range(3 * MOST)], "sm_90")
    assert sorted(one.registers for one in found) == list(range(2 * MOST, 3 * MOST))
    assert len(facts_of([said("n" * 9999)], "sm_90")[0].name) < 999
