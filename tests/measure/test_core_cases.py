"""Timing cases by what they ask for beyond core."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from kernelbenchx.core.performance import LeftOut
from kernelbenchx.core.scopes import Scope
from kernelbenchx.measure.core_cases import CoreCases, core_cases, in_dtype, timing_needs
from kernelbenchx.spec import case
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.task import Task
from timing_host import small

NAME = "activation/relu"


def _needs(task: Task) -> list[frozenset[Scope]]:
    return list(timing_needs(task, NAME, 7, "cpu").values())


def _with(*cases: Case) -> Task:
    return replace(small(NAME, shape=(8,), dtype=torch.float32), timings=cases)


def test_an_ordinary_case_asks_for_nothing_and_a_strided_one_for_layout() -> None:
    plain, strided = (
        case(shape=(8, 4), dtype=torch.float32, **more)[0]
        for more in ({}, {"layout": "transposed"})
    )
    assert _needs(_with(plain, strided)) == [frozenset(), frozenset({Scope.LAYOUT})]


def test_what_a_case_declares_counts_but_its_size_does_not() -> None:
    params: dict[str, Any] = {"shape": (8,), "dtype": torch.float32}
    large = Case(params, needs=frozenset({Scope.SCALE}))
    other = Case({**params, "shape": (9,)}, needs=frozenset({Scope.DTYPE}))
    assert _needs(_with(large, other)) == [frozenset(), frozenset({Scope.DTYPE})]


@pytest.mark.parametrize(("others", "kept"), [(False, False), (True, True)])
def test_values_that_every_case_has_are_ordinary(
    monkeypatch: pytest.MonkeyPatch, others: bool, kept: bool
) -> None:
    first, second = (case(shape=(n,), dtype=torch.float32)[0] for n in (8, 9))
    found = iter([frozenset({Scope.VALUES}), frozenset() if others else frozenset({Scope.VALUES})])
    monkeypatch.setattr("kernelbenchx.measure.core_cases.needs_of", lambda *_given: next(found))
    asked = _needs(_with(first, second))
    assert (asked[0] == {Scope.VALUES}) is kept and asked[1] == frozenset()


def test_cases_of_one_dtype_are_told_apart_from_the_others() -> None:
    full, half = (case(shape=(8, 4), dtype=one)[0] for one in (torch.float32, torch.float16))
    plain = case(shape=(8, 4))[0]
    cases = CoreCases((full, half, plain), (LeftOut(case="n", why="needs layout"),))
    found = in_dtype(cases, "float32")
    assert found.core == (full, plain)
    assert found.others == (*cases.others, LeftOut(case=half.name, why="not in float32"))
    assert in_dtype(cases, "") == cases


def test_cases_are_told_apart_with_the_reason() -> None:
    plain, strided = (
        case(shape=(8, 4), dtype=torch.float32, **more)[0]
        for more in ({}, {"layout": "transposed"})
    )
    found = core_cases(_with(plain, strided), NAME, 7, "cpu")
    assert found.core == (plain,)
    assert found.others == (LeftOut(case=strided.name, why="needs layout"),)
