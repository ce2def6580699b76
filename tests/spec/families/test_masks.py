"""Masks: as many elements as asked for, in every shape that broadcasts."""

import random

import pytest
import torch

from kernelbenchx.spec import Draw
from kernelbenchx.spec.families.masks import count_selected, drawn_mask, mask_fits, masks, rates
from kernelbenchx.spec.shapes import broadcast


@pytest.mark.parametrize("rate", [0.0, 0.03, 0.5, 1.0])
def test_a_mask_has_exactly_so_many_elements(rate: float) -> None:
    one, two = (drawn_mask(Draw.from_seed(seed), (30, 40), rate) for seed in (0, 1))
    assert int(one.sum()) == int(two.sum()) == count_selected((30, 40), rate) == round(1200 * rate)
    assert torch.equal(one, two) == (rate in (0.0, 1.0))


@pytest.mark.parametrize("name", [one.name for one in masks().options[1:]])
def test_every_mask_broadcasts_and_none_is_just_the_input(name: str) -> None:
    shape = (3, 1, 5)
    mask = masks().option(name).draw_value(random.Random(0), {"shape": shape})
    assert mask != shape
    assert broadcast(shape, mask)


def _fits(**chosen: str) -> bool:
    return mask_fits({"shape": "matrix", "mask": "as input", "mask_layout": "contiguous"} | chosen)


def test_a_mask_fits_the_rank_of_the_input() -> None:
    assert _fits(mask="fewer dimensions") and not _fits(mask="fewer dimensions", shape="0-d")
    assert _fits(mask="more dimensions") and not _fits(mask="more dimensions", shape="long")
    assert _fits(mask_layout="transposed")
    assert not _fits(mask_layout="transposed", mask="fewer dimensions")


def test_nothing_selected_is_degenerate_and_all_is_not() -> None:
    assert rates().option("none").needs
    assert not rates().option("all").needs
