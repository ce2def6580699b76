"""Geometry of convolutions, against torch."""

import itertools
from typing import Any

import pytest
import torch

from kernelbenchx.spec.families.windows2d import lost_to_tf32, output_size, pair, resolve_padding

GEOMETRIES = list(itertools.product((1, 2, (3, 1)), (0, 4, (0, 2), "valid"), (1, (1, 3))))


@pytest.mark.parametrize(("stride", "padding", "dilation"), GEOMETRIES)
def test_the_output_is_as_large_as_torch_makes_it(stride: Any, padding: Any, dilation: Any) -> None:
    image, weight = torch.zeros(1, 1, 13, 17), torch.zeros(1, 1, 3, 4)
    made = torch.nn.functional.conv2d(image, weight, None, stride, padding, dilation)
    assert tuple(output_size((13, 17), weight, stride, padding, dilation)) == made.shape[2:]


def test_same_adds_the_larger_half_below() -> None:
    weight = torch.zeros(1, 1, 4, 3)
    assert resolve_padding(weight, "same", (1, 2)) == ((1, 2), (2, 2))
    assert output_size((9, 11), weight, 1, "same", (1, 2)) == [9, 11]
    assert pair(3) == (3, 3)


def test_tf32_takes_nothing_from_operands_of_16_bits_and_something_from_others() -> None:
    x = torch.rand(7, generator=torch.Generator().manual_seed(0))
    narrow, wide = x.half().double(), x.double()
    assert lost_to_tf32(torch.mul, narrow, narrow) is None
    lost = lost_to_tf32(torch.mul, wide, wide)
    assert lost is not None and bool((lost > 0).any())
    assert bool((lost <= 2 * 2.0**-10 * wide * wide).all())
