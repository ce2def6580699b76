"""Bins of any size: where they begin and end, and what the family accepts and rejects."""

from typing import Any

import pytest
import torch

from kernelbenchx.spec import Close, Mutant, Normal, case
from kernelbenchx.spec.families.adaptive_pooling import (
    adaptive_pooling,
    behind,
    first,
    output_sizes,
    pool_bins,
    shares,
)
from rejections import is_caught, living, refused_truths, scopes_of


def largest(input: torch.Tensor, output_size: Any) -> torch.Tensor:
    x = input.to(torch.promote_types(input.dtype, torch.float32))
    return torch.nn.functional.adaptive_max_pool2d(x, output_size).to(input.dtype)


TASK = adaptive_pooling(
    largest,
    others={"special": Normal(planted=(1e4, -1e4))},
    contract=Close(),
    timings=case(shape=(1, 1, 4, 4), output_size=2, dtype=torch.float32),
    difficulty=1,
)


def test_right_answers_pass_and_every_wrong_one_of_the_family_is_seen() -> None:
    assert refused_truths(TASK, 0) == []
    assert living(TASK) == []
    assert [one for one in TASK.mutants if isinstance(one, Mutant)] == []


@pytest.mark.parametrize("output_size", [1, 3, (4, 7), (None, 5), (8, None), (13, 20)])
def test_means_over_the_bins_are_those_of_torch_and_other_bins_are_not(output_size: Any) -> None:
    x = torch.randn(2, 3, 9, 11, generator=torch.Generator().manual_seed(0))
    right = torch.nn.functional.adaptive_avg_pool2d(x, output_size)
    assert torch.allclose(pool_bins(x, output_size), right, atol=1e-6)
    assert right.shape[-2:] == output_sizes(x.shape, output_size)
    other = pool_bins(
        x, output_size, end=lambda i, size, count: min(first(i, size, count) + 1, size)
    )
    assert not torch.allclose(other, right, atol=1e-3)


def test_bins_cover_everything_and_shares_sum_to_one() -> None:
    assert [(first(i, 7, 3), behind(i, 7, 3)) for i in range(3)] == [(0, 3), (2, 5), (4, 7)]
    found = shares(7, 3)
    assert torch.allclose(found.sum(1), torch.ones(3, dtype=torch.float64))
    assert bool((found > 0).any(0).all())


def test_wrong_bins_are_caught() -> None:
    def shifted(input: torch.Tensor, output_size: Any) -> torch.Tensor:
        return largest(input.roll(1, -1), output_size)

    assert is_caught(TASK, shifted)


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["output_size", "larger"] == asked["shape", "no batch"] == set()
    assert asked["shape", "one pixel"] == {"degenerate"} and asked["shape", "long"] == {"scale"}
