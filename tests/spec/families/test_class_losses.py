import pytest
import torch
from torch.nn.functional import nll_loss

from kernelbenchx.spec.families.class_losses import (
    classes_last,
    first_positions,
    mean_over_positions,
    shares,
    spared_share,
)
from kernelbenchx.spec.mutants import Mutant

X = torch.randn(3, 5, 4, generator=torch.Generator().manual_seed(1)).log_softmax(1)
TARGET = torch.tensor([[0, 1, 2, 3], [4, -100, 1, 0], [2, 2, -100, 1]])


def answer(mutant: Mutant, **words: object) -> torch.Tensor:
    found: torch.Tensor = mutant.answer(X, TARGET, **words)
    return found


def test_a_position_that_is_ignored_weighs_nothing() -> None:
    assert shares(TARGET, None, -100).sum() == 10
    weight = torch.arange(5.0)
    assert shares(TARGET, weight, -100).sum() == sum((0, 1, 2, 3, 4, 1, 0, 2, 2, 1))


def test_an_ignored_class_also_comes_by_chance() -> None:
    assert spared_share(10, -100, 0.25) == 0.25
    assert spared_share(10, 3, 0.25) == pytest.approx(0.25 + 0.075)


@pytest.mark.parametrize("make", [mean_over_positions, classes_last])
def test_wrong_answers_differ_in_the_mean(make: object) -> None:
    mutant = make(nll_loss)  # type: ignore[operator]
    assert not torch.allclose(answer(mutant), nll_loss(X, TARGET))


def test_what_is_beyond_the_block_is_left_out() -> None:
    few = answer(first_positions(nll_loss, most=4), reduction="sum")
    assert torch.allclose(few, nll_loss(X[:1], TARGET[:1], reduction="sum"))
    assert torch.equal(answer(first_positions(nll_loss, most=12)), nll_loss(X, TARGET))
