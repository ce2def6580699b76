"""The sums are those of the definition, and no bound is broken by honest coins."""

import math
from collections.abc import Callable

import pytest
import torch

from kernelbenchx.spec import correlation
from kernelbenchx.spec.correlation import (
    Coins,
    Pairs,
    blocks_between,
    blocks_within,
    lags_between,
    lags_within,
    xors_between,
    xors_within,
)

COUNT, RATE = 37, 0.3


def _coins(seed: int, count: int = COUNT, rate: float = RATE, known: float = 0.8) -> Coins:
    drawn = torch.Generator().manual_seed(seed)
    seen = torch.rand(count, generator=torch.Generator().manual_seed(999)) < known
    return Coins.of(torch.rand(count, generator=drawn) < rate, seen, rate)


@pytest.fixture(autouse=True)
def every_lag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correlation, "FEWEST_PAIRS", 1)


def _assert_pairs(
    found: Pairs, way: int, one: Coins, two: Coins, places: list[tuple[int, int]]
) -> None:
    """`places` are the pairs of that way, the first in `one`."""
    inside = [(i, j) for i, j in places if i < one.count and j < two.count]
    expected = sum(float(one.centred[i] * two.centred[j]) for i, j in inside)
    assert float(found.sums[way]) == pytest.approx(expected, abs=1e-9)
    ones, known = (x.expand(found.sums.shape)[way] for x in (found.ones, found.known))
    firsts = {i for i, _ in places if i < one.count}
    assert float(ones) == sum(float(one.ones[i]) for i in firsts)
    assert float(known) == sum(float(one.known[i]) for i in firsts)


def test_unknown_coins_count_for_nothing() -> None:
    coins = _coins(1)
    assert bool((coins.centred[coins.known == 0] == 0).all()) and bool((coins.known == 0).any())
    assert set(coins.centred[coins.known == 1].tolist()) == {1 - RATE, -RATE}


def test_every_lag_within_a_call() -> None:
    coins = _coins(1)
    found = lags_within(coins)
    assert found.sums.numel() == COUNT - 1
    for way in range(COUNT - 1):
        pairs = [(i, i + way + 1) for i in range(COUNT - way - 1)]
        _assert_pairs(found, way, coins, coins, pairs)


def test_every_lag_between_calls_both_ways() -> None:
    one, two = _coins(1), _coins(2)
    ahead, behind = lags_between(one, two)
    assert ahead.sums.numel() == COUNT and behind.sums.numel() == COUNT - 1
    for lag in range(COUNT):
        pairs = [(i, i + lag) for i in range(COUNT - lag)]
        _assert_pairs(ahead, lag, one, two, pairs)
        if lag:
            _assert_pairs(behind, lag - 1, two, one, pairs)


def test_every_xor_of_positions() -> None:
    one, two = _coins(1), _coins(2)
    within, between = xors_within(one), xors_between(one, two)
    for xor in range(64):
        _assert_pairs(between, xor, one, two, [(i, i ^ xor) for i in range(64)])
        if xor:
            pairs = [(i, i ^ xor) for i in range(64) if i < i ^ xor]
            _assert_pairs(within, xor - 1, one, one, pairs)


def test_any_two_blocks_and_columns() -> None:
    one, two = _coins(1), _coins(2)
    rows, others = one.blocks(5), two.blocks(5)
    assert blocks_between(rows, others).sums.shape == (7, 7)
    expected = float(one.centred[5:10] @ two.centred[15:20])
    assert float(blocks_between(rows, others).sums[1, 3]) == pytest.approx(expected)
    inside = blocks_within(rows)
    assert float(inside.sums[1, 3]) == pytest.approx(float(one.centred[5:10] @ one.centred[15:20]))
    assert bool((inside.sums.tril() == 0).all())
    assert float(inside.ones[1]) == float(one.ones[5:10].sum())
    assert torch.equal(one.columns(5).ones[2], one.ones[:35][2::5])


@pytest.mark.parametrize("rate", (0.5, 0.1, 0.999))
@pytest.mark.parametrize("ways", (lags_within, xors_within), ids=lambda ways: ways.__name__)
def test_surprises_are_as_rare_as_they_say(rate: float, ways: Callable[[Coins], Pairs]) -> None:
    """Of single pairings, without the correction for their number, at one level."""
    seen, over, level = 0, 0, math.log(20)
    for seed in range(40):
        pairs = ways(_coins(seed, 300, rate))
        found = pairs._surprises(pairs.sums, pairs.ones, pairs.known)
        seen, over = seen + found.numel(), over + int((found > level).sum())
    assert over <= seen / 20


@pytest.mark.parametrize("rate", (0.5, 0.1, 0.9))
def test_equal_coins_are_seen_and_other_ones_are_not(rate: float) -> None:
    one, two = _coins(1, 2000, rate), _coins(2, 2000, rate)
    limit = 40.0
    assert float(lags_between(one, one)[0].family(str).surprise) > limit
    assert float(lags_between(one, two)[0].family(str).surprise) < 5
    assert float(xors_between(one, one).family(str).surprise) > limit
    assert float(xors_between(one, two).family(str).surprise) < 5


def test_the_way_is_the_one_that_was_planted() -> None:
    drawn = torch.rand(3000, generator=torch.Generator().manual_seed(1)) < 0.5
    known = torch.ones_like(drawn)
    shifted = lags_between(Coins.of(drawn, known, 0.5), Coins.of(drawn.roll(321), known, 0.5))
    assert int(shifted[0].family(str).which) == 321
    crossed = drawn[:2048][torch.arange(2048) ^ 1365]
    one, two = Coins.of(drawn[:2048], known[:2048], 0.5), Coins.of(crossed, known[:2048], 0.5)
    assert int(xors_between(one, two).family(str).which) == 1365
