import random

import pytest

from kernelbenchx.spec.memory_traffic import (
    SECTOR_BYTES,
    along,
    estimate_hit_share,
    estimate_sector_share,
    in_a_sector,
    windows,
)


def test_a_sector_holds_whole_values() -> None:
    assert [in_a_sector(size) for size in (1, 2, 4, 8, 16)] == [32, 16, 8, 4, 2]
    assert in_a_sector(2 * SECTOR_BYTES) == 1


def test_nothing_spared_means_everything_needed_and_the_other_way_round() -> None:
    assert estimate_sector_share(0.0, 1, 100) == 1.0
    assert estimate_sector_share(1.0, 8, 100) == 0.0
    assert estimate_sector_share(0.2, 1, 0) == 0.0


@pytest.mark.parametrize(("spared", "together"), [(0.2, 1), (0.5, 4), (0.9, 8)])
def test_chance_rarely_needs_less(spared: float, together: int) -> None:
    chance = random.Random(3)
    draws = 500
    least = estimate_sector_share(spared, together, draws)
    found = []
    for _ in range(200):
        sectors = [any(chance.random() >= spared for _ in range(together)) for _ in range(draws)]
        found.append(sum(sectors) / draws)
    assert least <= min(found)
    assert least > min(found) - 0.15


def test_many_hits_leave_no_sector_out_and_few_leave_most() -> None:
    assert estimate_hit_share(0.0, 1000) == 0.0
    assert estimate_hit_share(1e6, 1000) == pytest.approx(1.0)
    chance = random.Random(5)
    seen = {chance.randrange(10_000) for _ in range(7_000)}
    assert estimate_hit_share(7_000, 10_000) == pytest.approx(len(seen) / 10_000, abs=0.01)


def test_places_near_one_another_bring_those_between_and_far_ones_do_not() -> None:
    assert along(range(0, 28, 2), itemsize=2) == 27
    assert along(range(0, 200, 20), itemsize=4) == 80
    assert along([5], itemsize=4) == 1
    assert along([], itemsize=4) == 0


def test_windows_touch_all_unless_they_step_over_some() -> None:
    assert windows(8, 8, before=1, step=1, taps=3, gap=1) == set(range(8))
    assert windows(8, 4, before=0, step=2, taps=1, gap=1) == {0, 2, 4, 6}
    assert windows(9, 2, before=2, step=5, taps=3, gap=2) == {0, 2, 3, 5, 7}
