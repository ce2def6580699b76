"""How much a kernel must read where it need not read everything.

A cost that counts more than the cheapest kernel reads would call that kernel impossible, so all
of these err towards less.
"""

import math
from collections.abc import Collection

SECTOR_BYTES = 32
"""What a GPU reads at once: reading one value of a sector moves all of them."""
_SIGMAS = 5.0
"""Chance alone exceeds this in one of millions of draws."""


def in_a_sector(itemsize: int) -> int:
    """How many values come at once."""
    return max(1, SECTOR_BYTES // itemsize)


def estimate_sector_share(spared: float, together: int, draws: int) -> float:
    """The share of sectors that hold something needed.

    Each holds the values of `together` places, and each of these is spared by chance with
    probability `spared`. Over `draws` sectors the share varies; this is the least of it.
    """
    share = 1.0 - spared**together
    return max(0.0, share - _SIGMAS * math.sqrt(share * (1.0 - share) / max(draws, 1)))


def estimate_hit_share(hits: float, sectors: float) -> float:
    """The share of sectors that one of many hits falls into, each anywhere with equal chance."""
    return 1.0 - math.exp(-hits / max(sectors, 1.0))


def windows(size: int, count: int, before: int, step: int, taps: int, gap: int) -> set[int]:
    """Places of an axis that `count` windows touch, the first of which starts `before` ahead."""
    starts = range(-before, count * step - before, step)
    touched = {start + tap * gap for start in starts for tap in range(taps)}
    return touched & set(range(size))


def along(places: Collection[int], itemsize: int) -> int:
    """How many neighbours in a row are read for the sake of these places."""
    if not places:
        return 0
    return min(max(places) - min(places) + 1, len(places) * in_a_sector(itemsize))
