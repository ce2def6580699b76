"""Our fits against those of statsmodels, and what they do where statsmodels gives up."""

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy.special import expit

from kernelbenchx.analysis.glm import (
    cells,
    criterion_aic,
    criterion_bic,
    fit,
    full_dummies,
    group_likelihood,
    likelihood_ratio_p,
    with_intercept,
)

Numbers = NDArray[np.float64]
ROW, COLUMN = cells((5, 3))
PLAIN = with_intercept(full_dummies(ROW, 5)[:, 1:], full_dummies(COLUMN, 3)[:, 1:])
FULL = with_intercept(full_dummies(ROW, 5), full_dummies(COLUMN, 3))
TRIALS = np.random.default_rng(1).integers(4, 30, size=15).astype(np.float64)
SUCCESSES = np.random.default_rng(2).binomial(TRIALS.astype(int), 0.35).astype(np.float64)


def _single(design: Numbers, successes: Numbers, trials: Numbers) -> tuple[Numbers, Numbers]:
    """The same data as single attempts, zeros and ones."""
    outcomes = [
        [1.0] * int(hit) + [0.0] * int(tried - hit)
        for hit, tried in zip(successes, trials, strict=True)
    ]
    return np.repeat(design, trials.astype(int), axis=0), np.concatenate(outcomes)


def test_a_plain_fit_is_that_of_statsmodels() -> None:
    rows, outcomes = _single(PLAIN, SUCCESSES, TRIALS)
    theirs = sm.GLM(outcomes, rows, family=sm.families.Binomial()).fit(tol=1e-12)
    ours = fit(PLAIN, SUCCESSES, TRIALS)
    assert ours.converged
    np.testing.assert_allclose(ours.coefficients[0], theirs.params, atol=1e-6)
    assert ours.deviance[0] == pytest.approx(theirs.deviance, abs=1e-7)
    assert ours.log_likelihood[0] == pytest.approx(theirs.llf, abs=1e-7)
    parameters = PLAIN.shape[1]
    found = float(ours.log_likelihood[0])
    assert criterion_aic(found, parameters) == pytest.approx(theirs.aic, abs=1e-6)
    assert criterion_bic(found, parameters, len(outcomes)) == pytest.approx(
        theirs.bic_llf, abs=1e-6
    )


def test_a_penalised_fit_is_that_of_statsmodels() -> None:
    rows, outcomes = _single(FULL, SUCCESSES, TRIALS)
    free_intercept = np.array([0.0] + [1.0] * (FULL.shape[1] - 1)) / len(outcomes)
    model = sm.GLM(outcomes, rows, family=sm.families.Binomial())
    theirs = model.fit_regularized(alpha=free_intercept, L1_wt=0.0)
    ours = fit(FULL, SUCCESSES, TRIALS, penalty=1.0)
    # Their search stops at a slope of 1e-5 of the mean likelihood.
    np.testing.assert_allclose(ours.coefficients[0], theirs.params, atol=1e-3)
    assert not np.allclose(fit(FULL, SUCCESSES, TRIALS).coefficients[0], theirs.params, atol=0.01)


def test_the_penalised_objective_has_no_slope_left_and_the_intercept_no_penalty() -> None:
    ours = fit(FULL, SUCCESSES, TRIALS, penalty=1.0).coefficients[0]
    slope = FULL.T @ (SUCCESSES - TRIALS * expit(FULL @ ours))
    np.testing.assert_allclose(slope[0], 0.0, atol=1e-8)
    np.testing.assert_allclose(slope[1:], ours[1:], atol=1e-8)


def test_a_level_without_a_success_reaches_the_likelihood_of_a_rate_of_zero() -> None:
    successes, trials = np.array([0.0, 3.0, 6.0]), np.array([8.0, 9.0, 10.0])
    level = np.arange(3)
    ours = fit(with_intercept(full_dummies(level, 3)[:, 1:]), successes, trials)
    assert ours.converged
    assert ours.log_likelihood[0] == pytest.approx(group_likelihood(successes, trials), abs=1e-6)
    held = fit(with_intercept(full_dummies(level, 3)), successes, trials, penalty=1.0)
    assert np.abs(held.coefficients).max() < 3.0
    assert held.log_likelihood[0] < ours.log_likelihood[0]


def test_many_data_sets_at_once_are_fitted_as_each_alone() -> None:
    many = np.random.default_rng(3).binomial(TRIALS.astype(int), 0.2, size=(40, 15))
    together = fit(PLAIN, many, TRIALS)
    for at in (0, 17, 39):
        alone = fit(PLAIN, many[at], TRIALS)
        assert together.log_likelihood[at] == pytest.approx(alone.log_likelihood[0], abs=1e-6)


def test_one_factor_needs_no_steps() -> None:
    by_row = with_intercept(full_dummies(ROW, 5)[:, 1:])
    ours = fit(by_row, SUCCESSES, TRIALS)
    hits, tries = SUCCESSES.reshape(5, 3).sum(axis=1), TRIALS.reshape(5, 3).sum(axis=1)
    assert ours.log_likelihood[0] == pytest.approx(float(group_likelihood(hits, tries)), abs=1e-7)


def test_a_drop_that_chance_makes_often_is_not_rare() -> None:
    assert likelihood_ratio_p(3.841459, 1) == pytest.approx(0.05, abs=1e-6)
    assert likelihood_ratio_p(0.0, 3) == 1.0
    assert np.isnan(likelihood_ratio_p(1.0, 0))
