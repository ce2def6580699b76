"""How surprising is a count? Proven bounds on tail probabilities, as natural logarithms.

A surprise of s means: under the stated law something at least this extreme happens with
probability at most exp(-s). All bounds hold for every sample size; none is an approximation.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

EVALUATION_ALPHA = 1e-9
"""False alarms of one evaluation of an honest generator, all tests of all cases together."""

MOST_JUDGEMENTS = 80
"""Judgements of one evaluation that share it: no random task has more cases, also judged twice."""

CASE_ALPHA = EVALUATION_ALPHA / MOST_JUDGEMENTS
"""False alarms of one judgement of a case."""


@dataclass(frozen=True)
class Statistic:
    """One statistic of one case."""

    surprise: float
    detail: str
    """What is wrong if the surprise is too large."""


@dataclass(frozen=True)
class Family:
    """The largest surprise of many tests of one kind, corrected for their number, on its device."""

    surprise: torch.Tensor
    which: torch.Tensor
    """The number of the test."""
    detail: Callable[[int], str]


def fetch_statistics(families: Sequence[Family]) -> list[Statistic]:
    """All at once: a GPU is waited for twice, not for each."""
    if not families:
        return []
    surprises = torch.stack([one.surprise for one in families]).tolist()
    which = torch.stack([one.which for one in families]).tolist()
    return [
        Statistic(surprise, one.detail(number))
        for one, surprise, number in zip(families, surprises, which, strict=True)
    ]


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
    return 0.0 if total < 2 else rare_events(count, total, (total - 1) / 2 * cell)


def rare_events(count: int, total: int, rate: float) -> float:
    """`count` of `total` independent events of probability at most `rate`: too many."""
    mean = total * rate
    return 0.0 if count <= mean else count * math.log(count / mean) - count + mean


def multiplicity(most: int, total: int, cell: float) -> float:
    """Some value occurs `most` times, though none is likelier than `cell`.

    At most C(total, most) groups of draws, each of equal values with cell^(most - 1).
    """
    if most < 2:
        return 0.0
    groups = math.lgamma(total + 1) - math.lgamma(most + 1) - math.lgamma(total - most + 1)
    return max(0.0, -(groups + (most - 1) * math.log(cell)))
