import math

import torch

from kernelbenchx.spec.random_permutation import LARGE, ROUNDS, can_permute, permute_by_keys, spread


def _order(count: int, seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    keys = torch.randint(0, count, (1 + ROUNDS, 1), generator=generator)
    return permute_by_keys(torch.arange(count), keys, count)


def test_a_mixed_order_holds_every_number_once() -> None:
    for count in (1, 2, 8, 512, LARGE):
        assert torch.equal(_order(count, 1).sort().values, torch.arange(count))


def test_an_order_is_the_same_in_fewer_bits() -> None:
    """Products overflow there, above the bits that count."""
    count = 1 << 20
    keys = torch.tensor([[1], [count - 1], [count // 3], [count - 3]])
    wide = permute_by_keys(torch.arange(count), keys, count)
    narrow = permute_by_keys(torch.arange(count, dtype=torch.int32), keys.int(), count)
    assert narrow.dtype == torch.int32 and torch.equal(narrow.long(), wide)


def test_other_keys_give_another_order_and_the_same_ones_the_same() -> None:
    assert torch.equal(_order(512, 1), _order(512, 1))
    assert (_order(LARGE, 1) == _order(LARGE, 2)).sum() < 20  # one of all, on average


def test_neighbours_in_a_mixed_order_have_nothing_to_do_with_each_other() -> None:
    for seed in range(20):
        order = _order(LARGE, seed).double() / LARGE
        both = torch.stack((order[:-1], order[1:]))
        assert abs(float(torch.corrcoef(both)[0, 1])) < 6 / math.sqrt(LARGE)
        quarter = (order < 0.25).double().view(-1, 1024).sum(1)  # as in random blocks
        assert 0.5 < float(quarter.var() / (1024 * 0.25 * 0.75)) < 2


def test_only_large_powers_of_two_are_mixed() -> None:
    assert can_permute(LARGE, LARGE) and can_permute(512, LARGE)
    assert not can_permute(LARGE // 2, LARGE // 2)
    assert not can_permute(LARGE + 1, LARGE + 1)
    assert not can_permute(0, LARGE)


def test_spread_places_are_distinct_and_in_range() -> None:
    parts = torch.rand(7, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    places = spread(parts, 100)
    assert torch.unique(places).numel() == 7
    assert places.min() >= 0 and places.max() < 100
    almost = spread(torch.full((7,), 1 - 2.0**-53, dtype=torch.float64), 100)
    assert almost.max() == 99
    assert spread(torch.zeros(7), 100).min() == 0
