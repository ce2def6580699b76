"""Budgets of norms: an honest computation stays within, a wrong one does not."""

import math

import pytest
import torch

from kernelbenchx.spec.families.norm_error import norm_error

ORDERS = (1.0, 1.5, 2.0, 3.0, math.inf)
U = 2.0**-24


def _drawn(size: float = 1.0, count: int = 500) -> torch.Tensor:
    generator = torch.Generator().manual_seed(3)
    return size * torch.randn((20, count), generator=generator)


@pytest.mark.parametrize("p", ORDERS)
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_norm_in_float32_stays_within_and_one_of_bfloat16_does_not(p: float, size: float) -> None:
    x = _drawn(size)
    exact = torch.linalg.vector_norm(x.double(), p, -1)
    budget = 4 * U * norm_error(x.double(), x.double().abs(), p)
    by_powers = torch.linalg.vector_norm(x, p, -1)
    if not math.isinf(p):
        by_powers = torch.exp2(p * torch.log2(x.abs())).sum(-1) ** (1 / p)
    assert bool(((by_powers.double() - exact).abs() <= budget).all())
    coarse = torch.linalg.vector_norm(x, p, -1).bfloat16()
    assert bool(((coarse.double() - exact).abs() > budget).any())


@pytest.mark.parametrize("p", (*ORDERS, -math.inf))
def test_errors_of_elements_move_the_norm_by_no_more(p: float) -> None:
    x = _drawn().double()
    error = 1e-3 * _drawn(count=500).double().abs().flip(0)
    moved = torch.linalg.vector_norm(x + error, p, -1) - torch.linalg.vector_norm(x, p, -1)
    assert bool((moved.abs() <= norm_error(x, error, p)).all())
    none = norm_error(x, torch.zeros_like(x), p)
    assert bool((none == 0).all()) == math.isinf(p)


def test_the_shape_is_that_of_the_norm() -> None:
    x = _drawn()
    assert norm_error(x, x, 3.0, 0).shape == (500,)
    assert norm_error(x, x, 2.0, 0, keepdim=True).shape == (1, 500)


def test_zeros_give_a_number() -> None:
    zeros = torch.zeros(2, 5, dtype=torch.float64)
    assert torch.equal(norm_error(zeros, zeros, 3.0), torch.zeros(2, dtype=torch.float64))
