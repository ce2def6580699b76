"""Combines the blocks of one pair of processes: a mean, and how well it is known."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

TRIMMED = 5
"""One block in five is set aside at each end, which is none at the first look of four blocks."""

FEWEST = 2
"""Fewest of the quickest blocks that count."""


@dataclass(frozen=True, kw_only=True)
class PairMean:
    """The mean log ratio of one pair."""

    mean: float
    variance: float
    """Variance of the mean."""
    freedom: int


def trim_mean(values: Sequence[float]) -> PairMean:
    """Mean without the outer fifths; its variance is that of the winsorised values, scaled.

    The scale compensates for values that were pulled in, the degrees of freedom are those of the
    values kept (Tukey and McLaughlin 1963; Yuen 1974).
    """
    ordered = sorted(values)
    count = len(ordered)
    cut = count // TRIMMED
    kept = ordered[cut : count - cut]
    pulled = [kept[0]] * cut + kept + [kept[-1]] * cut
    scale = (count - 1) / (len(kept) * (len(kept) - 1))
    return PairMean(mean=fmean(kept), variance=variance(pulled) * scale, freedom=len(kept) - 1)


def compare_quickest(mine: Sequence[float], theirs: Sequence[float], one_in: int) -> PairMean:
    """Compare each side's quickest blocks, one in so many, by the logs of their times.

    If the host takes part, outside load makes blocks longer, many in a row, and each side by as
    much as it waits for the host. The variance is the jackknife's: a block left out is left out on
    both sides.
    """
    count = len(mine)
    whole = quick_mean(theirs, one_in) - quick_mean(mine, one_in)
    without = [
        quick_mean([*theirs[:at], *theirs[at + 1 :]], one_in)
        - quick_mean([*mine[:at], *mine[at + 1 :]], one_in)
        for at in range(count)
    ]
    spread = variance(without) * (count - 1) ** 2 / count
    counted = int(_count_quickest(count, one_in))
    return PairMean(mean=whole, variance=spread, freedom=2 * counted - 2)


def quick_mean(values: Sequence[float], one_in: int) -> float:
    """Mean of the smallest values, one in so many; if that is no whole number, one has a partial
    weight."""
    ordered, counted = sorted(values), _count_quickest(len(values), one_in)
    whole = int(counted)
    rest = counted - whole
    total = math.fsum(ordered[:whole]) + (rest * ordered[whole] if rest else 0.0)
    return total / counted


def _count_quickest(count: int, one_in: int) -> float:
    return float(max(min(FEWEST, count), count / one_in))


def variance(values: Sequence[float]) -> float:
    """Unbiased; `statistics.variance` is exact to the last bit and many times slower."""
    centre = fmean(values)
    return math.fsum((value - centre) ** 2 for value in values) / (len(values) - 1)
