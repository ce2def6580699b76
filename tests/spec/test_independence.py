import math

import torch

from kernelbenchx.spec.chance import most_surprising
from kernelbenchx.spec.independence import FEWEST_PAIRS, LONGEST, between, lags, within

SHAPE = (8, 40, 64)
TOTAL = 8 * 40 * 64
KNOWN = torch.ones(TOTAL, dtype=torch.bool)


def _coins(rate: float, seed: int, count: int = TOTAL) -> torch.Tensor:
    return torch.rand(count, generator=torch.Generator().manual_seed(seed)) < rate


def test_lags_cover_blocks_rows_batches_and_tiles() -> None:
    found = lags(SHAPE)
    assert {1, 32, 1024, 4096, 64, 64 * 16, 40 * 64, 40 * 64 * 4} <= set(found)
    assert max(found) <= TOTAL - FEWEST_PAIRS


def test_small_odd_and_empty_shapes_have_only_the_lags_that_fit() -> None:
    assert lags((6,)) == ()
    assert lags(()) == ()
    assert lags((0, 3)) == ()
    assert {37, 74, 1} <= set(lags((100, 37)))
    assert max(lags((2**12, 2**12))) < LONGEST


def test_independent_coins_pass() -> None:
    for rate in (0.1, 0.5, 0.9):
        one, two = _coins(rate, 0), _coins(rate, 1)
        assert most_surprising(within(one, KNOWN, SHAPE, rate))[0] < 1
        assert most_surprising(between(one, two, KNOWN, SHAPE, rate))[0] < 1


def test_a_repeated_row_block_tile_or_batch_fails() -> None:
    for rate in (0.1, 0.5, 0.9):
        row = _coins(rate, 2, 64).repeat(TOTAL // 64)
        block = _coins(rate, 2, 1024).repeat(TOTAL // 1024)
        batch = _coins(rate, 2, 40 * 64).repeat(8)
        tile = _coins(rate, 2, 20 * 32).reshape(20, 32).repeat(8 * 2, 2).flatten()
        for coins in (row, block, batch, tile):
            assert most_surprising(within(coins, KNOWN, SHAPE, rate))[0] > 1


def test_the_same_opposite_or_shifted_coins_in_two_calls_fail() -> None:
    one = _coins(0.5, 0)
    for two in (one, ~one, one.roll(1), one.roll(-64)):
        assert most_surprising(between(one, two, KNOWN, SHAPE, 0.5))[0] > 1


def test_unknown_elements_are_not_counted() -> None:
    one = _coins(0.5, 0)
    nothing = torch.zeros_like(KNOWN)
    assert most_surprising(between(one, one, nothing, SHAPE, 0.5))[0] == 0


def test_pairs_are_disjoint_so_that_the_count_is_binomial() -> None:
    """With a rate far from one half overlapping pairs would vary more than a binomial count."""
    surprises = []
    for seed in range(300):
        coins = _coins(0.05, seed, 640)
        tests = within(coins, KNOWN[:640], (640,), 0.05)
        surprises.append(tests[0].surprise > math.log(10))
    assert sum(surprises) <= 0.1 * 300 + 4 * math.sqrt(300 * 0.1 * 0.9)
