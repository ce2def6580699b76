"""Published sizes are the published ones, as parameters that the tasks take."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensorMode,
)

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.published_sizes import SIZES
from kernelbenchx.measure.timed_tasks import published_cases
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.task import Task
from sampled import cases_with_every_option, due

TIMINGS = "data/published_eager_timings.jsonl"
HERE = [name for name in catalog.names() if name in SIZES]
LISTED = {"optimizer/Adam": 1}
"""How many tensors a published row has, where calls have more: that of Adam has the parameter."""
SMALL, LARGE = 1 << 22, 1 << 27
"""Bytes of a case that is drawn although its form depends on values, and that is computed once."""


@cache
def _published(path: Path) -> dict[str, list[list[Any]]]:
    """Rows by category and name; those that are there twice once."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {
        f"{row['category']}/{row['name']}": [
            one
            for number, one in enumerate(row["input_sizes"])
            if one not in row["input_sizes"][:number] or not any(_shapes(one))
        ]
        for row in map(json.loads, lines)
    }


def _shapes(row: list[Any]) -> Iterator[tuple[int, ...]]:
    """Of a published row: what is a list of numbers may also be a size or the result."""
    for one in row:
        if isinstance(one, list) and one and isinstance(one[0], list):
            yield from _shapes(one)
        elif isinstance(one, list):
            yield tuple(one)


def _drawn(task: Task, case: Case) -> list[tuple[int, ...]] | None:
    """Shapes without memory; None where a large case cannot be drawn so."""
    try:
        with FakeTensorMode():
            call = task.draw(case, 1)
    except (DataDependentOutputException, DynamicOutputShapeException):
        if task.cost(**case.params).bytes > SMALL:
            return None
        call = task.draw(case, 1)
    return [tuple(one.shape) for one in call.tensors()]


def _are_among(drawn: list[tuple[int, ...]], row: list[Any]) -> bool:
    """In this order; a task need not take every optional tensor."""
    left = iter(_shapes(row))
    return all(shape in left for shape in drawn)


@pytest.mark.parametrize("name", due(HERE, 30))
def test_drawn_shapes_are_the_published_ones(name: str, shared: Path) -> None:
    task, cases = catalog.load(name), published_cases(name)
    rows = _published(shared / TIMINGS)[f"{facts(name).published}/{facts(name).name}"]
    assert len(cases) == len(rows)
    for case, row in zip(cases, rows, strict=True):
        drawn = _drawn(task, case)
        assert drawn is None or _are_among(drawn[: LISTED.get(name)], row), case.name


def test_every_name_is_published(shared: Path) -> None:
    for name in SIZES:
        category, _, bare = name.partition("/")
        assert f"{catalog.PUBLISHED_CATEGORIES[category]}/{bare}" in _published(shared / TIMINGS)


def test_other_shapes_are_told_apart() -> None:
    row = [[256, 128], 0, [128, 128], [128]]
    assert _are_among([(256, 128), (128, 128)], row) and _are_among([(256, 128), (128,)], row)
    assert not _are_among([(128, 128), (256, 128)], row)
    assert not _are_among([(256, 127)], row)
    assert _are_among([(4,), (8,)], [[[4], [8]], 2.0])


@pytest.mark.parametrize("name", HERE)
def test_a_task_takes_its_published_sizes(name: str) -> None:
    """Names and dtypes are checked without the published data, on the first of them."""
    task, cases = catalog.load(name), published_cases(name)
    assert len({case.name for case in cases}) == len(cases) >= 3
    dtypes = {case.params["dtype"] for case in cases if "dtype" in case.params}
    assert all(isinstance(dtype, torch.dtype) for dtype in dtypes)
    checked = {case.params.get("dtype") for case in cases_with_every_option(task)}
    assert dtypes <= checked, "a timed dtype is also checked"
    if task.cost(**cases[0].params).bytes <= LARGE:
        assert task.native(task.draw(cases[0], 1)).leaves
