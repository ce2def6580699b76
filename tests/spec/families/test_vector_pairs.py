"""Pairs of vectors: what the family draws, accepts and rejects."""

from typing import Any

import pytest
import torch

from kernelbenchx.spec import Close, Draw, argument, case
from kernelbenchx.spec.families.vector_pairs import (
    other_shape,
    pair_inputs,
    pair_shapes,
    vector_pairs,
)
from kernelbenchx.spec.task import Task
from rejections import is_caught, living, refused_truths


def inner(x1: torch.Tensor, x2: torch.Tensor, dim: int = -1) -> torch.Tensor:
    wide = torch.promote_types(x1.dtype, torch.float32)
    return (x1.to(wide) * x2.to(wide)).sum(dim).to(x1.dtype)


def _size(x1: torch.Tensor, x2: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return 8 * (x1 * x2).abs().sum(dim)


TASK: Task = vector_pairs(
    inner,
    dim=argument("dim", last=None, first=0),
    arguments=(),
    results=lambda *_, **__: 1,
    valid=lambda chosen: chosen["shape"] != "no vectors" or chosen["dim"] == "last",
    flops=2,
    contract=Close(scale=_size),
    timings=case(shape=(8, 8), dtype=torch.float32),
    mutants=(),
    difficulty=1,
)


def test_the_reference_passes_and_broken_promises_are_caught() -> None:
    assert not refused_truths(TASK, seed=0)
    assert not living(TASK)


def test_a_product_in_16_bits_is_caught() -> None:
    def rounded(x1: Any, x2: Any, dim: int = -1) -> Any:
        return (x1 * x2).sum(dim, dtype=torch.float32).to(x1.dtype)

    assert is_caught(TASK, rounded)
    assert not is_caught(TASK, inner)


@pytest.mark.parametrize("layout", ["contiguous", "expanded", "transposed", "strided"])
@pytest.mark.parametrize("other", ["contiguous", "strided", "offset"])
def test_vectors_that_are_equal_stay_so_under_every_layout(layout: str, other: str) -> None:
    words = {"layout": layout, "other_layout": other}
    draw = Draw.from_seed(1)
    x1, x2 = pair_inputs(draw, (6, 4, 9), torch.float32, values="equal", **words).args
    assert torch.equal(x1[::2], x2[::2])
    assert not torch.equal(x1[1::2], x2[1::2])
    x1, x2 = pair_inputs(draw, (6, 4, 9), torch.float32, values="identical", **words).args
    assert torch.equal(x1, x2)


def test_zero_vectors_lie_along_every_dimension_and_special_values_in_both() -> None:
    x1, x2 = pair_inputs(Draw.from_seed(1), (6, 9), torch.float32, values="zero").args
    assert not x1[-1].any() and not x1[:, -1].any() and x1[0].any() and x2[-1].any()
    x1, x2 = pair_inputs(Draw.from_seed(1), (6, 9), torch.float32, values="special").args
    assert x1.isnan().any() and x1.isinf().any() and (x2 == -torch.inf).any()


def test_the_second_broadcasts() -> None:
    assert other_shape((2, 3, 4), "whole") == (2, 3, 4)
    assert other_shape((2, 3, 4), "one vector") == (4,)
    assert other_shape((2, 3, 4), "first of one") == (1, 3, 4)
    whole = TASK.cost(shape=(64, 32), dtype=torch.float32)
    less = TASK.cost(shape=(64, 32), dtype=torch.float32, second="one vector")
    assert whole.bytes == (2 * 64 * 32 + 1) * 4 and less.bytes == (64 * 32 + 32 + 1) * 4
    assert whole.flops == less.flops == 2 * 64 * 32


def test_shapes_have_at_least_two_dimensions() -> None:
    names = [option.name for option in pair_shapes().options]
    assert names[0] == "matrix" and "no vectors" in names
    assert all(len(one.params["shape"]) >= 2 for one in TASK.cases(0))
