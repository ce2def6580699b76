"""Mistakes of random kernels: each is one, and the fair mask is none."""

import pytest
import torch

from kernelbenchx.spec.families.random_mistakes import WRONG_MASKS, WRONG_NUMBERS, fair


@pytest.mark.parametrize("name", WRONG_MASKS)
@pytest.mark.parametrize("shape", [(3, 40, 50), (0, 4, 5), (1, 1, 1)])
def test_a_wrong_mask_has_the_shape_of_its_tensor(name: str, shape: tuple[int, ...]) -> None:
    kept = WRONG_MASKS[name](torch.zeros(shape), 0.3)
    assert kept.shape == shape and kept.dtype == torch.bool


def test_the_fair_mask_keeps_as_many_as_it_should_and_other_ones_each_time() -> None:
    torch.manual_seed(0)
    x = torch.zeros(4, 100, 100)
    one, two = fair(x, 0.3), fair(x, 0.3)
    assert abs(float(one.double().mean()) - 0.7) < 0.02
    assert not torch.equal(one, two)


@pytest.mark.parametrize("name", WRONG_NUMBERS)
def test_wrong_numbers_differ_from_right_ones(name: str) -> None:
    right = torch.rand(300, 300, generator=torch.Generator().manual_seed(1))
    wrong = WRONG_NUMBERS[name](right.clone())
    assert wrong.shape == right.shape and wrong.dtype == right.dtype
    assert not torch.equal(wrong, right)
