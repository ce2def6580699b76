import math

import torch

from kernelbenchx.spec.families.extremes import (
    at_the_end,
    near_ties,
    neighbours,
    plant_in_slices,
    tied_zeros,
)
from kernelbenchx.spec.inputs import Draw

SHAPE = (50, 7)


def _different(x: torch.Tensor) -> int:
    return len(set(x.flatten().tolist()))


def test_near_ties_are_ties_in_16_bits_only() -> None:
    x = near_ties(Draw.from_seed(1), SHAPE, torch.float32)
    assert _different(x) > 100
    assert _different(x.bfloat16()) == 1


def test_zeros_of_both_signs_are_the_smallest() -> None:
    x = tied_zeros(0, 9)(Draw.from_seed(1), SHAPE, torch.float32)
    zeros = x[x == 0]
    assert x.min() == 0
    assert 0 < zeros.signbit().sum() < zeros.numel()


def test_the_extreme_stands_last_and_nowhere_else() -> None:
    x = at_the_end(near_ties, -3.0)(Draw.from_seed(1), SHAPE, torch.float32)
    assert x.argmin() == x.numel() - 1
    assert (x == -3.0).sum() == 1


def test_neighbours_are_alike_in_float() -> None:
    for dtype, narrow in ((torch.int32, torch.float32), (torch.int64, torch.float64)):
        for sign in (1, -1):
            x = neighbours(sign)(Draw.from_seed(1), SHAPE, dtype)
            assert (x.sign() == sign).all()
            assert _different(x.to(narrow)) < _different(x)


def test_every_seed_has_a_nan_in_the_first_tile_alone_and_in_the_last_tile_alone() -> None:
    for seed in range(8):
        for dim, slices in ((1, (3, 5000)), (0, (5000, 3))):
            x = torch.zeros(slices)
            plant_in_slices(Draw.from_seed(seed), x, dim, (math.nan, math.inf))
            rows = (x if dim == 1 else x.T).isnan()
            found = {(bool(row[:1024].any()), bool(row[-1024:].any())) for row in rows}
            assert found == {(True, False), (False, True), (True, True)}
        whole = torch.zeros(5000)
        plant_in_slices(Draw.from_seed(seed), whole, None, (math.nan, math.inf))
        assert whole[:1024].isnan().any() and whole[1024:].isfinite().all()


def test_many_slices_have_each_value_in_the_first_a_middle_and_the_last_tile() -> None:
    x = torch.zeros(40, 6000)
    plant_in_slices(Draw.from_seed(3), x, -1, (math.nan, math.inf, -math.inf))
    tiles = x.view(40, 3, 2000)
    for tile in range(3):
        for value in (math.nan, math.inf, -math.inf):
            alone = (~tiles.isfinite()).any(2).sum(1) == 1
            held = tiles[alone, tile].nan_to_num(7.0) == torch.tensor(value).nan_to_num(7.0)
            assert held.any()
    assert x.isfinite().all(1).any()


def test_tensors_without_slices_stay_as_they_are() -> None:
    for shape in ((), (0, 3)):
        x = torch.zeros(shape)
        plant_in_slices(Draw.from_seed(3), x, None, (math.nan,))
        assert x.isfinite().all()
