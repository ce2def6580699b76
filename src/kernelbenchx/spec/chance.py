"""How surprising is a count? Proven bounds on tail probabilities, as natural logarithms.

A surprise of s means: under the stated law something at least this extreme happens with
probability at most exp(-s). All bounds hold for every sample size; none is an approximation.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch

CASE_ALPHA = 1e-8
"""False alarms of one case; 32 cases, even judged twice, stay below 1e-6."""


@dataclass(frozen=True)
class Statistic:
    """One statistic of one case."""

    surprise: float
    detail: str
    """What is wrong if the surprise is too large."""


def threshold(count: int) -> float:
    """The surprise that `count` tests of a case may have: together they err with `CASE_ALPHA`."""
    return math.log(max(count, 1) / CASE_ALPHA)


def most_surprising(tests: Sequence[Statistic]) -> tuple[float, str]:
    """The largest surprise as a multiple of the threshold, and the first that is over it.

    A wrong rate also disturbs what is computed from it: the order of the tests is that of causes.
    """
    limit = threshold(len(tests))
    worst = max((test.surprise for test in tests), default=0.0)
    causes = (test.detail for test in tests if test.surprise > limit)
    return max(worst, 0.0) / limit, next(causes, "")


def binomial(count: int, total: int, rate: float) -> float:
    """`count` of `total` independent events of probability `rate`, too many or too few.

    Chernoff's bound: either tail is at most exp(-total * divergence(count / total, rate)).
    """
    if total == 0:
        return 0.0
    seen = count / total
    return total * _divergence(seen, rate) - math.log(2)


def kolmogorov(ordered: torch.Tensor, cell: float) -> float:
    """Distance of the sample, in rising order, from the uniform law on [0, 1).

    The inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant: a distance of D or
    more has probability at most 2 exp(-2 n D^2). A sampler of resolution `cell` may itself be that
    far from uniform.
    """
    n = ordered.numel()
    if n == 0:
        return 0.0
    steps = torch.arange(n, dtype=torch.float64, device=ordered.device) / n
    ahead = ordered.double().flatten() - steps
    distance = max(float(ahead.max()), 1 / n - float(ahead.min())) - cell
    return 2 * n * max(distance, 0.0) ** 2 - math.log(2)


def duplicates(count: int, total: int, cell: float) -> float:
    """`count` of `total` draws repeat an earlier one, though no value is likelier than `cell`.

    Draw i repeats with probability at most i * cell whatever came before, so the count is bounded
    by a sum of independent events of mean `total`^2 / 2 * cell, and that by Chernoff.
    """
    mean = total * (total - 1) / 2 * cell
    if count <= mean or mean == 0:
        return 0.0
    return count * math.log(count / mean) - count + mean


def multiplicity(most: int, total: int, cell: float) -> float:
    """Some value occurs `most` times, though none is likelier than `cell`.

    At most C(total, most) groups of draws, each of equal values with cell^(most - 1).
    """
    if most < 2:
        return 0.0
    groups = math.lgamma(total + 1) - math.lgamma(most + 1) - math.lgamma(total - most + 1)
    return max(0.0, -(groups + (most - 1) * math.log(cell)))


def _divergence(seen: float, rate: float) -> float:
    """Relative entropy of two coins."""
    return _term(seen, rate) + _term(1.0 - seen, 1.0 - rate)


def _term(seen: float, rate: float) -> float:
    if seen <= 0.0:
        return 0.0
    return seen * math.log(seen / rate) if rate > 0.0 else math.inf
