"""Slices named by an index: how many, where, and what must be read for them."""

import random

import pytest
import torch

from kernelbenchx.spec import Draw
from kernelbenchx.spec.families.index_slices import read_of, slice_index, slice_indices, slices_fit


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("fewer than slices", 20, 39), ("more than slices", 40, 79), ("one", 1, 1), ("empty", 0, 0)],
)
def test_an_index_has_as_many_entries_as_its_option_says(name: str, low: int, high: int) -> None:
    counts = slice_indices()[0].option(name)
    before = {"shape": (3, 40), "dim": -1}
    found = {counts.draw_value(random.Random(seed), before) for seed in range(50)}
    assert low <= min(found) and max(found) <= high


def test_of_an_empty_dimension_no_slice_is_named() -> None:
    counts = slice_indices()[0]
    before = {"shape": (3, 0), "dim": 1}
    assert {one.draw_value(random.Random(0), before) for one in counts.options} == {0}


def test_places_reach_both_ends_and_nothing_beyond() -> None:
    found = slice_index(Draw.from_seed(0), 7, 30, low=-7)
    assert (int(found.min()), int(found.max())) == (-7, 6)
    assert int(slice_index(Draw.from_seed(0), 7, 30).min()) == 0
    assert len(set(slice_index(Draw.from_seed(0), 7, 30, "expanded").tolist())) == 1
    assert slice_index(Draw.from_seed(0), 0, 0).shape == (0,)


def _fits(**chosen: str) -> bool:
    ordinary = {"shape": "matrix", "dim": "first", "index": "fewer than slices"}
    return slices_fit({**ordinary, "index_layout": "contiguous", **chosen})


def test_options_go_together_where_the_rank_has_room() -> None:
    assert _fits() and not _fits(shape="0-d")
    assert _fits(dim="inner", shape="four dimensions") and not _fits(dim="inner")
    assert _fits(shape="empty", index="empty") and not _fits(shape="empty")
    assert _fits(index_layout="strided") and not _fits(index_layout="strided", index="one")


def test_no_more_is_read_than_distinct_slices_hold() -> None:
    assert read_of((100, 64), 0, 1, 4) <= 64
    assert 0.9 * 6400 < read_of((100, 64), 0, 1000, 4) <= 6400
    index = torch.randint(0, 10_000, (5000,), generator=torch.Generator().manual_seed(0))
    distinct = len(set(index.tolist()))
    assert read_of((10_000, 64), 0, 5000, 4) == pytest.approx(64 * distinct, rel=0.02)
    # Neighbours along the last dimension share a sector.
    assert read_of((64, 10_000), 1, 5000, 4) > 1.5 * 64 * distinct


@pytest.mark.parametrize("shape", [(3, 0), (0, 5)])
def test_of_nothing_nothing_is_read(shape: tuple[int, ...]) -> None:
    assert read_of(shape, 0, 2, 4) == 0
    assert read_of((3, 5), 0, 2, 4) > 0
