"""Are coins independent, within one call and between any two?"""

import itertools
import math
from collections.abc import Callable, Sequence

from kernelbenchx.spec.correlation import (
    FEWEST_PAIRS,
    Coins,
    blocks_between,
    blocks_within,
    lags_between,
    lags_within,
    xors_between,
    xors_within,
)
from kernelbenchx.spec.tail_bounds import Family

BLOCK = 256
"""Consecutive elements that are compared with any other such block."""


def lag_statistics(calls: Sequence[Coins]) -> list[Family]:
    """Every distance, within each call and from one call to another."""
    if not _enough(calls):
        return []
    tests = [lags_within(one).family(_apart) for one in calls]
    for one, two in itertools.combinations(calls, 2):
        ahead, behind = lags_between(one, two)
        tests.append(ahead.family(_describe_shift))
        tests.append(behind.family(lambda way: _describe_shift(way + 1)))
    return tests


def block_statistics(calls: Sequence[Coins], shape: Sequence[int]) -> list[Family]:
    """Any two blocks, rows or columns, and positions that are a fixed xor apart."""
    if not _enough(calls):
        return []
    tests = [xors_within(one).family(_describe_xor) for one in calls]
    for one, two in itertools.combinations(calls, 2):
        tests.append(xors_between(one, two).family(_crossed_over))
    for what, rows in _cuts(calls, shape):
        same = f"two {what} are not independent"
        tests += [blocks_within(one).family(_always(same)) for one in rows]
        other = f"two {what} of different calls are not independent"
        for one, two in itertools.combinations(rows, 2):
            tests.append(blocks_between(one, two).family(_always(other)))
    return tests


def _enough(calls: Sequence[Coins]) -> bool:
    return calls[0].count > FEWEST_PAIRS


def _apart(way: int) -> str:
    return f"elements {way + 1} apart are not independent (a row, tile or program repeats another)"


def _describe_shift(lag: int) -> str:
    if lag == 0:
        return "two calls do not draw independently of each other"
    return f"one call repeats another, shifted by {lag} elements"


def _always(detail: str) -> Callable[[int], str]:
    return lambda _: detail


def _describe_xor(way: int) -> str:
    return f"elements i and i ^ {way + 1} are not independent"


def _crossed_over(way: int) -> str:
    return f"element i of one call and i ^ {way} of another are not independent"


def _cuts(calls: Sequence[Coins], shape: Sequence[int]) -> list[tuple[str, list[Coins]]]:
    """Blocks, rows and columns: at least two, each long enough to tell."""
    count, width, height = calls[0].count, shape[-1] if shape else 0, math.prod(shape[:-1])
    found = []
    if count >= 2 * BLOCK:
        found.append((f"blocks of {BLOCK}", [one.blocks(BLOCK) for one in calls]))
    if width > FEWEST_PAIRS and count >= 2 * width:
        found.append(("rows", [one.blocks(width) for one in calls]))
    if width > 1 and height > FEWEST_PAIRS and count > FEWEST_PAIRS * width:
        found.append(("columns", [one.columns(width) for one in calls]))
    return found
