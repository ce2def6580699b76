"""One pair of processes: which blocks count, and how well their mean is known."""

import math
import random
from statistics import fmean, variance

import pytest

from kernelbenchx.measure.pair_means import FEWEST, compare_quickest, quick_mean, trim_mean


def _noise(count: int, size: float, seed: int) -> list[float]:
    chance = random.Random(seed)
    return [chance.gauss(0.0, size) for _ in range(count)]


def test_a_disturbed_block_is_set_aside_on_either_side() -> None:
    quiet = _noise(10, 0.01, 1)
    found = trim_mean([*quiet, 3.0, -3.0])
    assert found.mean == pytest.approx(fmean(quiet), abs=0.005)
    assert found.freedom == 7
    assert trim_mean([1.0, 2.0, 3.0, 6.0]).mean == 3.0  # nothing of four


@pytest.mark.parametrize(
    ("values", "one_in", "mean"),
    [
        ([4.0, 1.0, 3.0, 2.0], 4, 1.5),  # two at least
        ([8.0, 1.0, 7.0, 2.0, 6.0, 3.0, 5.0, 4.0], 4, 1.5),
        ([float(n) for n in range(12)], 4, 1.0),
        ([0.0, 1.0, 2.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0], 4, 0.8),  # half of the third
        ([5.0], 4, 5.0),
        ([1.0, 3.0, 9.0, 9.0], 2, 2.0),
    ],
)
def test_the_quickest_blocks_count(values: list[float], one_in: int, mean: float) -> None:
    assert quick_mean(values, one_in) == pytest.approx(mean)


def test_a_host_that_is_slow_most_of_the_time_does_not_matter() -> None:
    """It holds up the side that waits for it, for many blocks on end."""
    mine, theirs = _noise(16, 0.01, 2), _noise(16, 0.01, 3)
    slow = [value + (0.5 if 3 <= block < 14 else 0.0) for block, value in enumerate(mine)]
    calm, disturbed = compare_quickest(mine, theirs, 4), compare_quickest(slow, theirs, 4)
    assert disturbed.mean == pytest.approx(calm.mean, abs=0.01)
    assert trim_mean([b - a for a, b in zip(slow, theirs, strict=True)]).mean < -0.3


def test_a_kernel_that_is_slower_in_every_block_is_slower() -> None:
    mine, theirs = _noise(16, 0.01, 4), _noise(16, 0.01, 5)
    slower = [value + 0.05 for value in mine]
    gone = compare_quickest(slower, theirs, 4).mean - compare_quickest(mine, theirs, 4).mean
    assert gone == pytest.approx(-0.05)


def test_sides_change_places() -> None:
    mine, theirs = _noise(16, 0.01, 6), _noise(16, 0.02, 7)
    one, other = compare_quickest(mine, theirs, 4), compare_quickest(theirs, mine, 4)
    assert one.mean == pytest.approx(-other.mean)
    assert one.variance == pytest.approx(other.variance)


@pytest.mark.parametrize("count", [8, 16, 36])
def test_the_variance_is_about_right(count: int) -> None:
    found = [
        compare_quickest(_noise(count, 0.01, 2 * seed), _noise(count, 0.01, 2 * seed + 1), 4)
        for seed in range(400)
    ]
    true = variance([one.mean for one in found])
    assert 0.6 * true < fmean([one.variance for one in found]) < 2.0 * true
    assert {one.freedom for one in found} == {2 * max(FEWEST, count // 4) - 2}


def test_equal_blocks_have_no_variance() -> None:
    assert compare_quickest([0.0] * 8, [math.log(2)] * 8, 4).variance == pytest.approx(
        0.0, abs=1e-20
    )
