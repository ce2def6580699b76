"""Which share of the deviance category and method explain, of one data set or of thousands."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelbenchx.analysis.glm import (
    BinomialFit,
    cells,
    fit,
    full_dummies,
    group_likelihood,
    with_intercept,
)
from kernelbenchx.analysis.success_counts import Counts
from kernelbenchx.analysis.two_way import additive_likelihood

Numbers = NDArray[np.float64]

_ROUNDING = 1e-12
"""As a share of the whole deviance."""

TERMS = (
    "category",
    "method",
    "category + method",
    "category given method",
    "method given category",
    "category x method",
)
"""What deviance is explained by; the order of every array of drops."""
ALONE = TERMS[:2]
"""Those whose likelihood is that of groups: nothing has to be fitted."""


@dataclass(frozen=True, kw_only=True)
class Deviances:
    """-2 log likelihood of each model; an entry for every data set."""

    null: Numbers
    category: Numbers
    method: Numbers
    both: Numbers
    cross: Numbers
    """With a rate of its own for every pair: the interaction too."""

    @property
    def drops(self) -> Numbers:
        """How far each term lowers the deviance; the last axis is `TERMS`."""
        parts = (
            self.null - self.category,
            self.null - self.method,
            self.null - self.both,
            self.method - self.both,
            self.category - self.both,
            self.both - self.cross,
        )
        return _zero_rounding(np.stack(parts, axis=-1), self.null)

    @property
    def shares(self) -> Numbers:
        """Drops as shares of the null model's deviance; where all or none succeed it is none."""
        return _of_whole(self.drops, self.null)


def _zero_rounding(drops: Numbers, null: Numbers) -> Numbers:
    """Equal models differ by rounding, and are equal."""
    return np.where(np.abs(drops) > _ROUNDING * null[..., None], drops, 0.0)


def _of_whole(drops: Numbers, null: Numbers) -> Numbers:
    return np.asarray(drops / np.where(null > 0.0, null, np.nan)[..., None])


def shares(successes: Numbers, trials: Numbers) -> Numbers:
    """Of every term."""
    return deviances(successes, trials).shares


def shares_alone(successes: Numbers, trials: Numbers) -> Numbers:
    """Only those of `ALONE`: without a fit, for what is asked many times."""
    null, category, method = _of_groups(successes, trials)
    drops = np.stack((null - category, null - method), axis=-1)
    return _of_whole(_zero_rounding(drops, null), null)


def _of_groups(successes: Numbers, trials: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Deviances of nothing, of category and of method."""
    total = group_likelihood(
        successes.sum(axis=(-2, -1))[..., None], trials.sum((-2, -1))[..., None]
    )
    category = group_likelihood(successes.sum(axis=-1), trials.sum(axis=-1))
    method = group_likelihood(successes.sum(axis=-2), trials.sum(axis=-2))
    return -2.0 * total, -2.0 * category, -2.0 * method


def deviances(successes: Numbers, trials: Numbers) -> Deviances:
    """Of binomial GLMs without penalty; the last two axes are category and method."""
    null, category, method = _of_groups(successes, trials)
    pairs = (*successes.shape[:-2], -1)
    many = np.broadcast_to(trials, successes.shape)
    return Deviances(
        null=null,
        category=category,
        method=method,
        both=-2.0 * additive_likelihood(successes, trials),
        cross=-2.0 * group_likelihood(successes.reshape(pairs), many.reshape(pairs)),
    )


def deviances_of(counts: Counts) -> Deviances:
    """Of one data set."""
    return deviances(*counts.cells())


def penalised_deviances(counts: Counts, *, penalty: float = 1.0) -> Deviances:
    """The same models with full dummies, held by a penalty: a level without a success keeps a
    finite coefficient. Deviances do not contain the penalty."""
    successes, trials = counts.cells()
    sizes = successes.shape
    category, method = cells(sizes)
    by_category = full_dummies(category, sizes[0])
    by_method = full_dummies(method, sizes[1])
    pairs = full_dummies(np.arange(successes.size), successes.size)

    def fit_penalised(*blocks: Numbers) -> BinomialFit:
        design = with_intercept(*blocks)
        return fit(design, successes.ravel(), trials.ravel(), penalty=penalty)

    return Deviances(
        null=-2.0 * group_likelihood([[successes.sum()]], [[trials.sum()]]),
        category=fit_penalised(by_category).deviance,
        method=fit_penalised(by_method).deviance,
        both=fit_penalised(by_category, by_method).deviance,
        cross=fit_penalised(by_category, by_method, pairs).deviance,
    )


def freedoms(counts: Counts) -> tuple[int, ...]:
    """Degrees of freedom of each of `TERMS`; of pairs only those that were tried."""
    rows, columns = len(counts.categories), len(counts.methods)
    tried = int((counts.cells()[1] > 0).sum())
    category, method = rows - 1, columns - 1
    both = category + method
    return (category, method, both, category, method, max(tried - 1 - both, 0))
