"""Problems whose weights come from one seed: alone, or with constants drawn and given."""

import pytest
import torch
from torch import nn

from kernelbenchx import catalog
from kernelbenchx.catalog import BUILT_UNDER_SEED, SEED_ALONE
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.modules import (
    ModuleCall,
    buffers_of,
    build_under_seed,
    constants_of,
    made_from,
)
from kernelbenchx.spec.problem import Problem

LINEAR, NORM = "level2/gemm_multiply_leaky_relu", "level1/batch_norm_2d"


def _drawn(name: str, seed: int = 5) -> ModuleCall:
    task = catalog.load(name)
    call = task.draw(task.checks[0], seed)
    assert isinstance(call, ModuleCall)
    return call


def test_constants_are_what_no_seed_changes() -> None:
    class Model(nn.Module):
        def __init__(self, wide: int) -> None:
            super().__init__()
            self.norm, self.layer = nn.BatchNorm1d(wide), nn.Linear(wide, 1)

    assert constants_of(Model, (3,)) == ("norm.weight", "norm.bias")
    statistics = tuple(f"norm.{name}" for name, _ in nn.BatchNorm1d(3).named_buffers())
    assert buffers_of(Model(3)) == statistics


def test_a_seed_alone_gives_the_weights_of_a_fresh_module() -> None:
    call = _drawn(LINEAR + SEED_ALONE)
    assert call.weights_seed is not None
    fresh = build_under_seed(call.weights_seed, catalog.load(LINEAR).reference, call.init)
    assert all(torch.equal(call.state[name], one) for name, one in fresh.state_dict().items())
    assert not call.loads
    assert _drawn(LINEAR).weights_seed is None


def test_constants_are_drawn_unless_the_seed_is_alone() -> None:
    alone, given = _drawn(NORM + SEED_ALONE), _drawn(NORM + BUILT_UNDER_SEED)
    ones = torch.ones_like(alone.state["bn.weight"])
    assert torch.equal(alone.state["bn.weight"], ones)
    assert not torch.equal(given.state["bn.weight"], ones)
    assert given.loads and given.weights_seed is not None


def test_what_a_seed_decides_is_the_same_in_all_draws_if_asked_for() -> None:
    problem = catalog.load(LINEAR + SEED_ALONE)
    assert isinstance(problem, Problem)
    fixed = problem.with_weights_of(3)
    one, other = (fixed.draw(fixed.checks[0], seed) for seed in (1, 2))
    assert torch.equal(one.state["gemm.weight"], other.state["gemm.weight"])
    assert not torch.equal(one.args[0], other.args[0])
    free = [problem.draw(problem.checks[0], seed).state["gemm.weight"] for seed in (1, 2)]
    assert not torch.equal(*free)


def test_only_problems_have_weights_of_a_seed() -> None:
    with pytest.raises(BrokenTask, match="come from no seed"):
        catalog.load("activation/relu" + SEED_ALONE)


def test_an_order_says_nothing_of_modules_where_there_is_none() -> None:
    assert made_from(Call()) == {}
    assert made_from(_drawn(LINEAR + SEED_ALONE))["loads"] is False
