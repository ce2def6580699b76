"""What is believed of a setting before anything is measured.

By the shape of the task's cost: a kernel that waits for memory wants a few elements for each
thread, one that computes wants tiles that are used often. By what a thread has room for. And by
what the author wrote, which is trusted a little. Weak on purpose, what does not fit apart: a few
measurements outweigh it.
"""

import math
from enum import StrEnum

from kernelbenchx.generate.search.choices import ChoiceKind
from kernelbenchx.generate.search.proposals import Prior
from kernelbenchx.generate.search.setting_space import THREADS, WARPS, Point, SettingSpace

STEEPNESS = 0.015
"""Log speed lost per squared doubling away from what is usual."""
MOST = 0.3
"""The largest penalty of an untried setting, as long as it fits."""
NEARBY = 0.002
"""Log speed lost per squared doubling away from what the author wrote; a stage is half of one."""
ROOM = 8.0
"""Doublings of results for each thread, 256: a thread has 255 registers."""


class Bottleneck(StrEnum):
    """What the task's cost model says a perfect kernel would wait for."""

    MEMORY = "memory"
    ARITHMETIC = "arithmetic"
    UNKNOWN = "unknown"


USUAL = {Bottleneck.MEMORY: 3.0, Bottleneck.ARITHMETIC: 6.0}
"""Doublings of results for each thread: 8 where memory is waited for, 64 where tiles are used."""


def make_prior(bound: Bottleneck) -> Prior:
    """The belief that goes with a bound."""

    def log_prior(space: SettingSpace, point: Point) -> float:
        every = _work(space, point, bound) if bound in USUAL else []
        lost = sum(STEEPNESS * (work - USUAL[bound]) ** 2 for work in every)
        beyond = sum(max(0.0, work - ROOM) for work in every)
        return -min(MOST, lost) - min(MOST, NEARBY * _far(space, point)) - beyond

    return log_prior


def _far(space: SettingSpace, point: Point) -> float:
    """Squared doublings from the text as it is."""
    return sum(
        (0.5 * (value - one.now)) ** 2
        if one.kind is ChoiceKind.STAGES
        else (math.log2(value) - math.log2(one.now)) ** 2
        for one, value in zip(space.choices, point, strict=True)
        if one.kind is not ChoiceKind.CONFIGS
    )


def _work(space: SettingSpace, point: Point, bound: Bottleneck) -> list[float]:
    """Doublings of results for each thread, for every kernel with sizes."""
    warps = space.warps(point)
    found = []
    for kernel, own in space.sizes(point).items():
        # The side that a product sums over, the smallest as a rule, leaves no results behind.
        kept = sorted(own)[1:] if bound is Bottleneck.ARITHMETIC and len(own) > 2 else own
        found.append(sum(kept) - warps.get(kernel, WARPS) - math.log2(THREADS))
    return found
