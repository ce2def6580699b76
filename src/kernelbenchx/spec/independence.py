"""Are coins independent? Counts of agreeing pairs at the distances where kernels repeat."""

import itertools
import math
from collections.abc import Sequence

import torch

from kernelbenchx.spec.chance import Statistic, binomial

FEWEST_PAIRS = 32
"""Fewer pairs can never be surprising enough."""

LONGEST = 2**20
"""Elements looked at; a repetition that starts later has begun before."""


def lags(shape: Sequence[int]) -> tuple[int, ...]:
    """Distances in flat order at which a program, a tile or a row may repeat another.

    Powers of two (blocks), and every stride times powers of two (rows, batches, tiles).
    """
    sizes = list(reversed(shape))
    strides = {math.prod(sizes[:count]) for count in range(len(sizes))} | {1}
    total = min(math.prod(sizes), LONGEST)
    found: set[int] = set()
    for stride in strides:
        step = stride
        while 0 < step <= total - FEWEST_PAIRS:
            found.add(step)
            step *= 2
    return tuple(sorted(found))


def within(
    coins: torch.Tensor, known: torch.Tensor, shape: Sequence[int], rate: float
) -> list[Statistic]:
    """Agreement of elements of one call with those a lag further on.

    Only disjoint pairs are counted, so that the count is binomial whatever the rate.
    """
    coins, known = coins[:LONGEST], known[:LONGEST]
    position = torch.arange(coins.numel(), device=coins.device)
    found = []
    for lag in lags(shape):
        first = (position[:-lag] // lag) % 2 == 0
        pairs = first & known[:-lag] & known[lag:]
        found.append(_agreement(coins[:-lag], coins[lag:], pairs))
    return _tests(found, [_repeats(lag) for lag in lags(shape)], rate)


def between(
    one: torch.Tensor, two: torch.Tensor, known: torch.Tensor, shape: Sequence[int], rate: float
) -> list[Statistic]:
    """Agreement of two calls, in place and shifted either way."""
    one, two, known = one[:LONGEST], two[:LONGEST], known[:LONGEST]
    same = "two calls do not draw independently of each other"
    found, details = [_agreement(one, two, known)], [same]
    for lag, (a, b) in itertools.product(lags(shape), ((one, two), (two, one))):
        found.append(_agreement(a[:-lag], b[lag:], known[:-lag] & known[lag:]))
        details.append(f"one call repeats another, shifted by {lag} elements")
    return _tests(found, details, rate)


def _agreement(one: torch.Tensor, two: torch.Tensor, pairs: torch.Tensor) -> torch.Tensor:
    """How many of the pairs agree, and how many there are."""
    return torch.stack((((one == two) & pairs).sum(), pairs.sum()))


def _tests(found: list[torch.Tensor], details: list[str], rate: float) -> list[Statistic]:
    """All counts are fetched at once: a card is waited for once, not for each."""
    counts = torch.stack(found).tolist() if found else []
    alike = rate**2 + (1 - rate) ** 2
    return [
        Statistic(binomial(agree, total, alike), detail)
        for (agree, total), detail in zip(counts, details, strict=True)
    ]


def _repeats(lag: int) -> str:
    return f"elements {lag} apart are not independent (a row, tile or program repeats another)"
