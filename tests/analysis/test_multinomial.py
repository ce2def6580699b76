"""Multinomial fits: against statsmodels, and against a likelihood that scipy maximises."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize
from scipy.special import log_softmax

from kernelbenchx.analysis.multinomial import additive_kinds_likelihood, kinds_likelihood


def _table(seed: int, shape: tuple[int, int, int], mean: float) -> np.ndarray:
    return np.random.default_rng(seed).poisson(mean, shape).astype(float)


def _observations(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A row of dummies, and its kind, for every failure."""
    rows, columns, kinds = (
        np.repeat(axis.ravel(), counts.ravel().astype(int)) for axis in np.indices(counts.shape)
    )
    parts = [np.ones((rows.size, 1))]
    parts += [(rows[:, None] == np.arange(1, counts.shape[0])).astype(float)]
    parts += [(columns[:, None] == np.arange(1, counts.shape[1])).astype(float)]
    return np.hstack(parts), kinds


@pytest.mark.parametrize("seed", range(3))
def test_the_additive_fit_is_that_of_statsmodels(seed: int) -> None:
    counts = _table(seed, (4, 3, 5), 6.0)
    design, kinds = _observations(counts)
    fitted = sm.MNLogit(kinds, design).fit(disp=False, maxiter=200)
    assert float(additive_kinds_likelihood(counts)) == pytest.approx(fitted.llf, abs=1e-4)
    rows = sm.MNLogit(kinds, design[:, :4]).fit(disp=False, maxiter=200)
    assert float(kinds_likelihood(counts.sum(axis=1))) == pytest.approx(rows.llf, abs=1e-6)
    assert rows.llf < fitted.llf


def test_kinds_that_a_row_never_has_are_fitted_as_such() -> None:
    """statsmodels gives up here; a general optimiser comes as near as it is let run."""
    counts = _table(3, (5, 3, 4), 1.2)
    counts[0, :, 2], counts[:, 1, 3] = 0.0, 0.0
    design, kinds = _observations(counts)

    def loss(flat: np.ndarray) -> float:
        logits = design @ np.hstack([np.zeros((design.shape[1], 1)), flat.reshape(-1, 3)])
        return -float(log_softmax(logits, axis=1)[np.arange(kinds.size), kinds].sum())

    best = minimize(loss, np.zeros(design.shape[1] * 3), method="BFGS", options={"gtol": 1e-7})
    assert float(additive_kinds_likelihood(counts)) == pytest.approx(-best.fun, abs=1e-3)
    assert float(additive_kinds_likelihood(counts)) >= -best.fun - 1e-3


def test_many_tables_are_fitted_at_once_and_alone() -> None:
    many = np.stack([_table(seed, (4, 3, 3), 2.0) for seed in range(4)])
    together = additive_kinds_likelihood(many)
    alone = [float(additive_kinds_likelihood(one)) for one in many]
    assert together == pytest.approx(alone, abs=1e-3)


def test_two_kinds_are_a_binomial_model() -> None:
    counts = _table(7, (4, 3, 2), 5.0)
    successes, trials = counts[..., 0].ravel(), counts.sum(axis=2).ravel()
    rows, columns = (axis.ravel() for axis in np.indices(counts.shape[:2]))
    design = np.column_stack(
        [np.ones(12), *(rows == at for at in range(1, 4)), *(columns == at for at in range(1, 3))]
    ).astype(float)
    glm = sm.GLM(
        np.column_stack([successes, trials - successes]), design, family=sm.families.Binomial()
    ).fit()
    chances = glm.fittedvalues
    likelihood = (successes * np.log(chances) + (trials - successes) * np.log1p(-chances)).sum()
    assert float(additive_kinds_likelihood(counts)) == pytest.approx(likelihood, abs=1e-4)
