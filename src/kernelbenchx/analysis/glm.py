"""Binomial regression on counts: plain and L2-penalised, one data set or thousands at once.

Iteratively reweighted least squares, which for the logit link is Newton's method. Likelihoods are
those of single attempts (no binomial coefficients), so grouping counts changes no deviance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, expit, xlogy

Numbers = NDArray[np.float64]

SPECK = 1e-9
"""Penalty of a fit without one: a level without a single success has its optimum at minus infinity.
It costs less deviance than is ever shown, and every step stays solvable."""
MOST_STEPS = 100
ENOUGH = 1e-10
"""A fit has converged when a step gains less log likelihood than this share of it."""


@dataclass(frozen=True, kw_only=True)
class BinomialFit:
    """A fitted model, or as many as there were data sets: arrays have one row for each."""

    coefficients: Numbers
    log_likelihood: Numbers
    """Without the penalty."""
    steps: int
    converged: bool

    @property
    def deviance(self) -> Numbers:
        """-2 log likelihood: a single attempt has a perfect fit of likelihood 1."""
        return np.asarray(-2.0 * self.log_likelihood)


def full_dummies(levels: NDArray[np.intp], count: int) -> Numbers:
    """A column of zeros and ones for every level."""
    return np.asarray(levels[:, None] == np.arange(count), dtype=np.float64)


def with_intercept(*blocks: Numbers) -> Numbers:
    """A design matrix; its first column is the intercept."""
    return np.hstack([np.ones((len(blocks[0]), 1)), *blocks])


def fit(design: Numbers, successes: Any, trials: Any, *, penalty: float = 0.0) -> BinomialFit:
    """Maximise log likelihood minus penalty / 2 times the squared coefficients; the intercept, the
    first column, goes free.

    `successes` and `trials` have the cells of the design as their last axis; an axis before it is
    that of data sets. penalty=1 is what scikit-learn calls C=1.
    """
    hits, tries = np.broadcast_arrays(
        np.atleast_2d(np.asarray(successes, dtype=np.float64)),
        np.atleast_2d(np.asarray(trials, dtype=np.float64)),
    )
    weights = np.full(design.shape[1], max(penalty, SPECK))
    weights[0] = SPECK if penalty == 0.0 else 0.0
    return _climb(_BinomialProblem(design, hits, tries, weights))


@dataclass(frozen=True)
class _BinomialProblem:
    design: Numbers
    hits: Numbers
    tries: Numbers
    penalties: Numbers

    def likelihood(self, predictor: Numbers) -> Numbers:
        each = self.hits * predictor - self.tries * np.logaddexp(0.0, predictor)
        return np.asarray(each.sum(axis=1))

    def objective(self, coefficients: Numbers) -> Numbers:
        held = 0.5 * (self.penalties * coefficients**2).sum(axis=1)
        return np.asarray(self.likelihood(coefficients @ self.design.T) - held)

    def solve(self, weights: Numbers, right: Numbers) -> Numbers:
        """(X'WX + penalties) b = right, for every data set."""
        size = self.design.shape[1]
        pairs = (self.design[:, :, None] * self.design[:, None, :]).reshape(-1, size * size)
        matrices = (weights @ pairs).reshape(-1, size, size) + np.diag(self.penalties)
        return np.asarray(np.linalg.solve(matrices, right[:, :, None])[:, :, 0])

    def start(self) -> Numbers:
        """Least squares on the logits of rates that are kept off 0 and 1."""
        rates = (self.hits + 0.5) / (self.tries + 1.0)
        weights = self.tries * rates * (1.0 - rates) + SPECK
        logits = np.log(rates / (1.0 - rates))
        return self.solve(weights, (weights * logits) @ self.design)

    def step(self, coefficients: Numbers) -> Numbers:
        rates = expit(coefficients @ self.design.T)
        weights = self.tries * rates * (1.0 - rates) + SPECK
        slope = (self.hits - self.tries * rates) @ self.design - self.penalties * coefficients
        return self.solve(weights, slope)


def _climb(problem: _BinomialProblem) -> BinomialFit:
    """Newton steps, halved where they overshoot, until none of the data sets gains by one."""
    at = problem.start()
    height = problem.objective(at)
    steps, converged = 0, False
    while steps < MOST_STEPS and not converged:
        steps += 1
        move = problem.step(at)
        reached = problem.objective(at + move)
        for _ in range(20):
            worse = reached < height - ENOUGH * (1.0 + np.abs(height))
            if not worse.any():
                break
            move[worse] /= 2.0
            reached = problem.objective(at + move)
        at = at + move
        converged = bool(np.all(np.abs(reached - height) <= ENOUGH * (1.0 + np.abs(height))))
        height = reached
    likelihood = problem.likelihood(at @ problem.design.T)
    return BinomialFit(coefficients=at, log_likelihood=likelihood, steps=steps, converged=converged)


def group_likelihood(successes: Any, trials: Any) -> Numbers:
    """The best log likelihood of a model with a rate of its own for every group (the last axis):
    what a binomial GLM with one factor reaches, also where a rate is 0 or 1."""
    hits = np.asarray(successes, dtype=np.float64)
    tries = np.asarray(trials, dtype=np.float64)
    misses = np.maximum(tries - hits, 0.0)
    return np.asarray((xlogy(hits, hits) + xlogy(misses, misses) - xlogy(tries, tries)).sum(-1))


def criterion_aic(log_likelihood: float, parameters: int) -> float:
    """Akaike's criterion; smaller is better."""
    return 2.0 * parameters - 2.0 * log_likelihood


def criterion_bic(log_likelihood: float, parameters: int, n: int) -> float:
    """Schwarz' criterion; smaller is better."""
    return float(parameters * np.log(n) - 2.0 * log_likelihood)


def likelihood_ratio_p(drop: float, freedom: int) -> float:
    """How often chance alone makes deviance drop that far, were attempts independent."""
    return float(chdtrc(freedom, max(drop, 0.0))) if freedom > 0 else float("nan")


def cells(sizes: Sequence[int]) -> list[NDArray[np.intp]]:
    """The level of each factor in every cell of a full crossing, last factor fastest."""
    return [axis.ravel() for axis in np.indices(tuple(sizes))]
