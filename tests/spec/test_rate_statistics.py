"""Rates of calls and of their parts: the bound holds, and each kind of part is looked at."""

import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from kernelbenchx.spec.rate_statistics import _largest, rate_statistics
from kernelbenchx.spec.tail_bounds import fetch_statistics

SHAPE = (6, 40, 64)
TOTAL = math.prod(SHAPE)
KNOWN = torch.ones(TOTAL, dtype=torch.bool)


def _calls(rate: float, count: int, seed: int = 0) -> list[torch.Tensor]:
    drawn = torch.Generator().manual_seed(seed)
    return [torch.rand(TOTAL, generator=drawn) < rate for _ in range(count)]


def _accused(calls: list[torch.Tensor], rate: float, known: torch.Tensor = KNOWN) -> set[str]:
    tests = fetch_statistics(rate_statistics(calls, known, SHAPE, rate, "rate"))
    return {test.detail for test in tests if test.surprise > 28}


@settings(deadline=None)
@given(total=st.integers(1, 5000), rate=st.floats(0.001, 0.999), data=st.data())
def test_the_bound_is_never_below_the_exact_tail(
    total: int, rate: float, data: st.DataObject
) -> None:
    count = data.draw(st.integers(0, total))
    tail = min(stats.binom.cdf(count, total, rate), stats.binom.sf(count - 1, total, rate))
    found = _largest(torch.tensor([count]), torch.tensor([total]), rate, "")
    assert math.exp(-float(found.surprise)) >= tail * (1 - 1e-9)


def test_the_largest_of_many_is_corrected_for_their_number() -> None:
    one = _largest(torch.tensor([9]), torch.tensor([10]), 0.5, "")
    many = _largest(torch.tensor([5, 9, 5, 5]), torch.tensor([10, 10, 10, 0]), 0.5, "")
    assert float(one.surprise - many.surprise) == pytest.approx(math.log(4))
    assert int(many.which) == 1


@pytest.mark.parametrize("rate", (0.001, 0.1, 0.5, 0.999))
def test_honest_calls_are_not_accused(rate: float) -> None:
    for seed in range(20):
        assert not _accused(_calls(rate, 2 + seed % 5, seed), rate)


@pytest.mark.parametrize(("rate", "value"), ((0.9995, False), (0.0005, True)))
def test_a_position_that_never_changes_is_seen_in_six_calls(rate: float, value: bool) -> None:
    calls = _calls(rate, 6)
    assert not _accused(calls, rate)
    for one in calls:
        one[777] = value
    assert _accused(calls, rate) == {"a position has another rate"}
    unknown = KNOWN.clone()
    unknown[777] = False
    assert not _accused(calls, rate, unknown)


@pytest.mark.parametrize(
    ("part", "said"),
    (
        ((slice(None), slice(None), 13), "an index of dimension 2"),
        ((slice(None), 7, slice(None)), "an index of dimension 1"),
        ((3,), "an index of dimension 0"),
    ),
    ids=("column", "row", "batch"),
)
def test_a_row_column_or_batch_with_another_rate_is_seen(part: tuple[Any, ...], said: str) -> None:
    calls = _calls(0.5, 2)
    for one in calls:
        one.view(SHAPE)[part] = True
    assert f"{said} has another rate" in _accused(calls, 0.5)


@pytest.mark.parametrize("width", (8, 128, 1024))
def test_a_lane_or_a_block_with_another_rate_is_seen(width: int) -> None:
    lanes, blocks = _calls(0.5, 8), _calls(0.5, 2)
    for one in lanes:
        one[5::width] = False
    assert f"a lane of {width} has another rate" in _accused(lanes, 0.5)
    for one in blocks:
        one[4 * 1024 : 4 * 1024 + max(width, 128)] = False
    assert f"a block of {max(width, 128)} has another rate" in _accused(blocks, 0.5)


@pytest.mark.parametrize("bits", (8, 9))
def test_a_rate_of_few_bits_is_seen_where_it_is_tiny(bits: int) -> None:
    p, steps = 0.0005, 2.0**bits
    for rough in (math.floor(p * steps) / steps, math.ceil(p * steps) / steps):
        accused = _accused(_calls(1 - rough, 6), 1 - p)
        assert "the rate is not the one asked for" in accused


@pytest.mark.parametrize("shape", ((), (0, 4), (1,), (3,)))
def test_small_and_empty_tensors_say_nothing(shape: tuple[int, ...]) -> None:
    drawn = torch.ones(math.prod(shape), dtype=torch.bool)
    tests = fetch_statistics(rate_statistics([drawn, drawn], drawn, shape, 0.5, "rate"))
    assert all(test.surprise < 5 for test in tests)
