"""What is believed of a setting before anything is measured: the shape of the task's cost.

A kernel that waits for memory wants a few elements for each thread, one that computes wants tiles
that are used often. Weak on purpose: a few measurements outweigh it, and where a source says
nothing about sizes it says nothing either.
"""

import math
from enum import StrEnum

from kernelbenchx.generate.search.choices import Kind
from kernelbenchx.generate.search.proposing import Prior
from kernelbenchx.generate.search.space import THREADS, Point, Space

STEEPNESS = 0.015
"""Log speed lost per squared doubling away from what is usual."""
MOST = 0.3
"""More is never held against a setting nobody tried."""


class Bound(StrEnum):
    """What the task's cost model says a perfect kernel would wait for."""

    MEMORY = "memory"
    ARITHMETIC = "arithmetic"
    UNKNOWN = "unknown"


USUAL = {Bound.MEMORY: 3.0, Bound.ARITHMETIC: 6.0}
"""Doublings of results for each thread: 8 where memory is waited for, 64 where tiles are used."""


def belief(bound: Bound) -> Prior:
    """The belief that goes with a bound; none where nothing is known."""

    def held(space: Space, point: Point) -> float:
        lost = [STEEPNESS * (work - USUAL[bound]) ** 2 for work in _work(space, point, bound)]
        return -min(MOST, sum(lost))

    return held if bound in USUAL else lambda _space, _point: 0.0


def _work(space: Space, point: Point, bound: Bound) -> list[float]:
    """Doublings of results for each thread, for every kernel with sizes."""
    sizes: dict[str, list[float]] = {}
    warps: dict[str, float] = {}
    for choice, kernel, value in zip(space.choices, space.kernels, point, strict=True):
        if choice.kind is Kind.BLOCK:
            sizes.setdefault(kernel, []).append(math.log2(value))
        elif choice.kind is Kind.WARPS:
            warps[kernel] = math.log2(value)
    found = []
    for kernel, own in sizes.items():
        # The side that a product sums over, the smallest as a rule, leaves no results behind.
        kept = sorted(own)[1:] if bound is Bound.ARITHMETIC and len(own) > 2 else own
        found.append(sum(kept) - warps.get(kernel, 2.0) - math.log2(THREADS))
    return found
