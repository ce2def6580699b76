"""Independent coins pass; whatever repeats, wherever it does, fails."""

import pytest
import torch

from kernelbenchx.spec.correlation import FEWEST_PAIRS, LONGEST, Coins
from kernelbenchx.spec.independence import block_statistics, lag_statistics
from kernelbenchx.spec.tail_bounds import Family, fetch_statistics

SHAPE = (8, 40, 64)
TOTAL = 8 * 40 * 64
LIMIT = 28.0


def _drawn(rate: float, seed: int, count: int = TOTAL) -> torch.Tensor:
    return torch.rand(count, generator=torch.Generator().manual_seed(seed)) < rate


def _coins(drawn: torch.Tensor, rate: float) -> Coins:
    return Coins.of(drawn, torch.ones_like(drawn), rate)


def _largest(families: list[Family]) -> float:
    return max((test.surprise for test in fetch_statistics(families)), default=0.0)


def _accused(*calls: torch.Tensor, rate: float = 0.5) -> bool:
    coins = [_coins(one, rate) for one in calls]
    return _largest(lag_statistics(coins) + block_statistics(coins, SHAPE)) > LIMIT


@pytest.mark.parametrize("rate", (0.1, 0.5, 0.9))
def test_independent_coins_pass(rate: float) -> None:
    assert not _accused(_drawn(rate, 0), _drawn(rate, 1), rate=rate)


@pytest.mark.parametrize("rate", (0.1, 0.5, 0.9))
def test_a_repeated_row_block_tile_or_batch_fails(rate: float) -> None:
    row = _drawn(rate, 2, 64).repeat(TOTAL // 64)
    block = _drawn(rate, 2, 1024).repeat(TOTAL // 1024)
    batch = _drawn(rate, 2, 40 * 64).repeat(8)
    tile = _drawn(rate, 2, 20 * 32).reshape(20, 32).repeat(8 * 2, 2).flatten()
    odd = _drawn(rate, 2, 4999).repeat(5)[:TOTAL]
    assert all(_accused(one, rate=rate) for one in (row, block, batch, tile, odd))


@pytest.mark.parametrize("direction", (1, -1))
def test_equal_diagonals_fail(direction: int) -> None:
    stream = _drawn(0.5, 3, 400)
    rows, columns = torch.arange(320)[:, None], torch.arange(64)
    assert _accused(stream[(rows + direction * columns) % 400].flatten())


@pytest.mark.parametrize("shift", (0, 1, -64, 777, TOTAL - 400))
def test_a_shifted_or_opposite_call_fails(shift: int) -> None:
    one = _drawn(0.5, 0)
    assert _accused(one, one.roll(shift)) and _accused(one, ~one.roll(shift))


@pytest.mark.parametrize("xor", (1, 4095, 0b10101010101))
def test_positions_crossed_by_a_constant_fail(xor: int) -> None:
    stream = _drawn(0.5, 0, 2**15)
    crossed = stream[torch.arange(2**15) ^ xor]
    assert _accused(stream[:TOTAL], crossed[:TOTAL])


def test_one_block_that_does_not_change_fails_whatever_is_around_it() -> None:
    one, two = _drawn(0.5, 0), _drawn(0.5, 1)
    two[4096:4352] = one[4096:4352]
    assert _accused(one, two)
    moved = _drawn(0.5, 1)
    moved[256:512] = one[4096:4352]
    assert _accused(one, moved)


@pytest.mark.parametrize("shape", ((160, 128), (128, 160)))
def test_two_equal_rows_or_columns_at_any_distance_fail(shape: tuple[int, int]) -> None:
    rows, columns = _drawn(0.5, 0), _drawn(0.5, 0)
    rows.view(shape)[111] = rows.view(shape)[17]
    columns.view(shape)[:, 50] = columns.view(shape)[:, 3]
    for one in (rows, columns):
        assert _largest(block_statistics([_coins(one, 0.5)], shape)) > LIMIT


def test_the_detail_names_the_distance() -> None:
    one = _drawn(0.5, 0)
    tests = fetch_statistics(lag_statistics([_coins(one, 0.5), _coins(one.roll(321), 0.5)]))
    worst = max(tests, key=lambda test: test.surprise)
    assert worst.detail == "one call repeats another, shifted by 321 elements"


def test_unknown_elements_are_not_counted() -> None:
    one = _drawn(0.5, 0)
    nothing = Coins.of(one, torch.zeros_like(one), 0.5)
    assert _largest(lag_statistics([nothing] * 2) + block_statistics([nothing] * 2, SHAPE)) <= 0


@pytest.mark.parametrize("count", (0, 1, FEWEST_PAIRS))
def test_too_few_elements_say_nothing(count: int) -> None:
    few = _coins(_drawn(0.5, 0, count), 0.5)
    assert lag_statistics([few, few]) == block_statistics([few, few], (count,)) == []


def test_only_the_beginning_of_a_long_call_is_looked_at() -> None:
    assert _coins(torch.ones(LONGEST + 5, dtype=torch.bool), 0.5).count == LONGEST
