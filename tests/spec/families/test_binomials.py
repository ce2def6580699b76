"""Factors times binomial numbers: what is drawn for a call, and what calls are valid."""

import pytest
import torch

from kernelbenchx.spec.families.binomials import (
    AXES,
    SHAPES,
    factor_cost,
    factor_inputs,
    is_valid,
    quantile,
)
from kernelbenchx.spec.inputs import Draw

ORDINARY = {axis.name: axis.options[0].name for axis in (SHAPES, *AXES)}


@pytest.mark.parametrize(
    "chosen",
    [{}, {"shape": "cube", "count": "column"}, {"shape": "0-d", "other": "0-d"}],
)
def test_calls_that_are_valid(chosen: dict[str, str]) -> None:
    assert is_valid(ORDINARY | chosen)


@pytest.mark.parametrize(
    "chosen", [{"shape": "vector", "other": "column"}, {"shape": "vector", "layout": "transposed"}]
)
def test_calls_that_are_not_valid(chosen: dict[str, str]) -> None:
    assert not is_valid(ORDINARY | chosen)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64, torch.bool])
def test_products_are_exact_in_float32(dtype: torch.dtype) -> None:
    x, y, n = factor_inputs(Draw.from_seed(1), (50, 60), dtype, values="edges").args
    product = (x & y).double() * n.double()
    assert torch.equal(product.float().double(), product)
    assert x.dtype == y.dtype == dtype


def test_shapes_are_those_of_the_case() -> None:
    made = factor_inputs(
        Draw.from_seed(1), (5, 6), torch.int32, "logits", other=(6,), count=(), chances=(5, 1)
    )
    assert [tuple(one.shape) for one in made.args] == [(5, 6), (6,), ()]
    assert made.kwargs["logits"].shape == (5, 1)
    assert "probs" not in made.kwargs


def test_edges_have_what_is_certain_and_ordinary_calls_have_not() -> None:
    for words, certain in (({"values": "edges"}, True), ({}, False)):
        p = factor_inputs(Draw.from_seed(1), (50, 60), torch.int32, **words).kwargs["probs"]
        assert bool((p == 1).any()) == certain
        assert bool((p == 0).any()) == certain
        assert bool(((p >= 0) & (p <= 1)).all())


def test_only_tensors_that_have_the_shape_of_the_first_are_laid_out() -> None:
    made = factor_inputs(Draw.from_seed(1), (5, 6), torch.int32, layout="transposed", count=(6,))
    assert made.args[0].stride() == made.args[1].stride() == (1, 5)
    assert made.args[2].is_contiguous()


def test_cost_counts_every_tensor_once() -> None:
    cost = factor_cost((4, 5), torch.int64, other=(5,), count=())
    assert cost.bytes == (20 + 5) * 8 + 4 * (1 + 20 + 20)


def test_quantile_counts_the_sums_below() -> None:
    n, p = torch.full((4,), 2.0), torch.full((4,), 0.5)
    unit = torch.tensor([0.2, 0.3, 0.7, 0.8])
    assert quantile(unit, n, p).tolist() == [0.0, 1.0, 1.0, 2.0]
    assert quantile(unit, n, 0 * p).tolist() == [0.0] * 4
    assert quantile(unit, n, 2 * p).tolist() == [2.0] * 4
