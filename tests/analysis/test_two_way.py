"""The fast fit of two factors finds what the general one finds."""

import numpy as np
import pytest

from kernelbenchx.analysis.glm import (
    cells,
    fit,
    full_dummies,
    group_likelihood,
    with_intercept,
)
from kernelbenchx.analysis.two_way import additive_likelihood


@pytest.mark.parametrize("shape", [(6, 4), (3, 7), (5, 1), (1, 3)])
def test_it_reaches_the_likelihood_of_the_general_fit(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(4)
    trials = rng.integers(1, 12, size=shape).astype(float)
    successes = rng.binomial(trials.astype(int), 0.3, size=(50, *shape)).astype(float)
    successes[0, 0] = 0.0  # a level without a success
    successes[1, :, 0] = trials[:, 0]  # one without a failure
    row, column = cells(shape)
    rows, columns = full_dummies(row, shape[0]), full_dummies(column, shape[1])
    design = with_intercept(rows[:, 1:], columns[:, 1:])
    general = fit(design, successes.reshape(50, -1), trials.ravel())
    found = additive_likelihood(successes, trials)
    np.testing.assert_allclose(found, general.log_likelihood, atol=1e-5)


def test_a_pair_that_nobody_tried_changes_nothing() -> None:
    trials = np.array([[5.0, 5.0], [5.0, 0.0], [5.0, 5.0]])
    successes = np.array([[1.0, 3.0], [2.0, 0.0], [4.0, 4.0]])
    alone = additive_likelihood(successes[[0, 2]], trials[[0, 2]])
    with_it = additive_likelihood(successes, trials)
    own = group_likelihood(successes[1, :1], trials[1, :1])
    assert with_it == pytest.approx(float(alone) + float(own), abs=1e-6)


def test_additive_is_less_than_a_rate_for_every_pair() -> None:
    trials = np.full((2, 2), 10.0)
    crossing = np.array([[8.0, 2.0], [2.0, 8.0]])
    free = float(group_likelihood(crossing.ravel(), trials.ravel()))
    assert additive_likelihood(crossing, trials) < free - 1.0
    parallel = np.array([[5.0, 5.0], [5.0, 5.0]])
    assert additive_likelihood(parallel, trials) == pytest.approx(
        float(group_likelihood(parallel.ravel(), trials.ravel())), abs=1e-8
    )
