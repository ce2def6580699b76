"""Whether the category of a task explains more than the method, with an interval by task."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.claim_findings import LIKELIHOOD, POINTS, ClaimFinding
from kernelbenchx.analysis.deviance_resampling import (
    FEWEST,
    KNOWN,
    REPLICATES,
    bootstrap,
    jackknife_bias,
)
from kernelbenchx.analysis.explained_deviance import TERMS, Numbers, deviances, shares_alone
from kernelbenchx.analysis.glm import group_likelihood
from kernelbenchx.analysis.intervals import LEVEL, Z
from kernelbenchx.analysis.success_counts import Counts, count_successes

CLAIM = "category_over_method"
ALONE = ("category", "method")
ADDED = ("category given method", "method given category")


class Difference(NamedTuple):
    """Category less method: of shares of deviance, and of log likelihoods. All corrected."""

    value: Numbers
    low: Numbers
    high: Numbers
    parts: Numbers
    """What is compared: a row each for shares and likelihoods, category and method in it."""


def category_over_method(attempts: Sequence[Attempt], subject: str) -> list[ClaimFinding]:
    """Of the last round; nothing where there is one method, one category or one outcome."""
    judged = [one for one in attempts if one.outcome != "reached"]
    counts = count_successes(judged, lambda one: one.correct)
    if min(len(counts.categories), len(counts.methods)) < 2:
        return []
    if not 0.0 < counts.successes.sum() < counts.trials.sum():
        return []
    return findings(counts, difference(counts.pool_singletons()), subject)


def findings(counts: Counts, found: Difference, subject: str) -> list[ClaimFinding]:
    """Alone, in points of explained deviance; and added to the other, in log likelihood."""
    rows = ((POINTS, "alone", 100.0), (LIKELIHOOD, "added to the other", 1.0))
    return [
        ClaimFinding(
            claim=CLAIM,
            subject=f"{subject}, {word}" if subject else word,
            n=len(counts.tasks),
            of="tasks",
            tasks=len(counts.tasks),
            unit=unit,
            value=scale * float(found.value[at]),
            low=scale * float(found.low[at]),
            high=scale * float(found.high[at]),
            first=scale * float(found.parts[at, 0]),
            second=scale * float(found.parts[at, 1]),
            compared="category, method, both corrected for bias",
        )
        for at, (unit, word, scale) in enumerate(rows)
    ]


def difference(counts: Counts, *, replicates: int = REPLICATES, seed: int = 0) -> Difference:
    """Corrected for bias: leaving out tasks says how much of it is the number of levels.

    Adding category to method gains more than adding method to category by as much as category
    alone gains more than method alone: both leave the same model. Intervals are made as those of
    a single share are, and may lie below 0.
    """
    raw = _differences(*counts.cells())
    bias = jackknife_bias(counts, _differences)
    corrected = raw - bias
    parts = (_parts(*counts.cells()) - jackknife_bias(counts, _parts)).reshape(2, 2)
    rng = np.random.default_rng(seed)
    drawn = bootstrap(counts, rng=rng, replicates=replicates, sharing=_differences)
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    if len(drawn) < KNOWN * replicates or len(counts.tasks) - len(counts.categories) < FEWEST:
        unknown = np.full(raw.size, math.nan)
        return Difference(corrected, unknown, unknown, parts)
    below, above = np.quantile(drawn, ((1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0), axis=0)
    reach = Z * drawn.std(axis=0, ddof=1)
    return Difference(
        corrected,
        np.minimum(below - 2.0 * bias, corrected - reach),
        np.maximum(above - 2.0 * bias, corrected + reach),
        parts,
    )


def _parts(successes: Numbers, trials: Numbers) -> Numbers:
    """What `_differences` are differences of; these need a fit of both factors together."""
    found = deviances(successes, trials)
    alone = found.shares[..., [TERMS.index(name) for name in ALONE]]
    added = found.drops[..., [TERMS.index(name) for name in ADDED]] / 2.0
    return np.concatenate((alone, added), axis=-1)


def _differences(successes: Numbers, trials: Numbers) -> Numbers:
    """The last axis: of shares, of log likelihoods."""
    alone = shares_alone(successes, trials)
    share = alone[..., 0] - alone[..., 1]
    whole = -group_likelihood(
        successes.sum(axis=(-2, -1))[..., None], trials.sum(axis=(-2, -1))[..., None]
    )
    return np.stack((share, share * whole), axis=-1)
