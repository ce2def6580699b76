"""Published sizes are the published ones, as parameters that the tasks take."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensorMode,
)

from kernelbenchx import catalog
from kernelbenchx.catalog.published_sizes import SIZES
from kernelbenchx.catalog.published_times import published_rows, published_tasks, rows_by_case
from kernelbenchx.measure.timed_tasks import published_cases
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.task import Task
from tiers import mark_slow

HERE = [name for name in catalog.names() if name in SIZES]
NO_TENSORS = {
    "fusion/fused_cos_avg_pool1d": (1,),
    "fusion/fused_layer_norm_relu_linear": (3,),
    "index/expand_where": (1,),
    "pooling/adaptive_avg_pool2d": (1,),
    "random/rand": (0,),
    "spatial_ops/grid_sample_with_affine": (2,),
    "spatial_ops/interpolate": (1,),
}
"""Places in a published row of what looks like a shape, and is a size or the result."""
LISTED = {"optimizer/Adam": 1}
"""How many tensors a published row has, where calls have more: that of Adam has the parameter."""
SMALL, LARGE = 1 << 22, 1 << 27
"""Bytes of a case that is drawn although its form depends on values, and that is computed once."""


def _shapes(row: Iterable[Any]) -> Iterator[tuple[int, ...]]:
    """What is a list of numbers in a published row; some rows have lists of them."""
    for one in row:
        if isinstance(one, list) and one and isinstance(one[0], list):
            yield from _shapes(one)
        elif isinstance(one, list):
            yield tuple(one)


def _tensors(name: str, row: Iterable[Any]) -> list[tuple[int, ...]]:
    """Shapes of what a published row gives as a tensor."""
    left_out = NO_TENSORS.get(name, ())
    return [shape for place, shape in enumerate(_shapes(row)) if place not in left_out]


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


@pytest.mark.parametrize("name", mark_slow(HERE, fast=8))
def test_drawn_shapes_are_the_published_ones(name: str) -> None:
    task, cases = catalog.load(name), published_cases(name)
    rows = rows_by_case(name)
    assert list(rows) == [case.name for case in cases]
    assert sorted(row for own in rows.values() for row in own) == [
        *range(len(published_rows(name)))
    ]
    for case in cases:
        drawn = _drawn(task, case)
        for row in rows[case.name]:
            published = _tensors(name, published_rows(name)[row])
            assert drawn is None or drawn[: LISTED.get(name)] == published, case.name


def test_every_published_task_of_the_catalogue_has_its_sizes() -> None:
    here = set(published_tasks()) & set(catalog.names())
    assert here == set(HERE) and set(SIZES) <= set(published_tasks())
    assert len(here) == 102


def test_other_shapes_are_told_apart() -> None:
    row = [[256, 128], 0, [128, 128], [128]]
    assert _tensors("index/scatter", row) == [(256, 128), (128, 128), (128,)]
    assert _tensors("index/expand_where", row) == [(256, 128), (128,)]
    assert _tensors("fusion/fused_hstack_div", [[[4], [8]], 2.0]) == [(4,), (8,)]
    assert _tensors("math/bitwise_and_binomial", [[4], []]) == [(4,), ()]


@pytest.mark.parametrize("name", mark_slow(HERE, fast=8))
def test_a_task_takes_its_published_sizes(name: str) -> None:
    """Names and dtypes are checked without the published data, on the first of them."""
    task, cases = catalog.load(name), published_cases(name)
    assert len({case.name for case in cases}) == len(cases) >= 3
    dtypes = {case.params["dtype"] for case in cases if "dtype" in case.params}
    assert all(isinstance(dtype, torch.dtype) for dtype in dtypes)
    checked = {case.params.get("dtype") for case in task.cases(0)}
    assert dtypes <= checked, "a timed dtype is also checked"
    if task.cost(**cases[0].params).bytes <= LARGE:
        assert task.native(task.draw(cases[0], 1)).leaves
