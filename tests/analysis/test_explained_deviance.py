"""Shares of deviance: by hand, against statsmodels, and with a penalty."""

import numpy as np
import pytest
import statsmodels.api as sm

from counted_trials import crossed, drawn
from kernelbenchx.analysis.explained_deviance import (
    ALONE,
    TERMS,
    deviances,
    deviances_of,
    freedoms,
    penalised_deviances,
    shares,
    shares_alone,
)
from kernelbenchx.analysis.glm import full_dummies

COUNTS = drawn(np.random.default_rng(5), (12, 9, 20), by_category=1.0, by_method=0.5, by_task=0.5)


def test_every_drop_is_that_of_statsmodels() -> None:
    category = np.repeat(COUNTS.category_of, 4)
    method = np.tile(np.arange(4), len(COUNTS.tasks))
    outcome = COUNTS.successes.ravel()

    def deviance(*blocks: np.ndarray) -> float:
        design = np.hstack([np.ones((len(outcome), 1)), *blocks])
        return float(sm.GLM(outcome, design, family=sm.families.Binomial()).fit().deviance)

    rows, columns = full_dummies(category, 3)[:, 1:], full_dummies(method, 4)[:, 1:]
    null, by_row, by_column = deviance(), deviance(rows), deviance(columns)
    both = deviance(rows, columns)
    cross = deviance(full_dummies(category * 4 + method, 12)[:, 1:])
    expected = (
        null - by_row, null - by_column, null - both, by_column - both, by_row - both, both - cross,
    )  # fmt: skip
    found = deviances_of(COUNTS)
    np.testing.assert_allclose(found.drops, expected, atol=1e-5)
    np.testing.assert_allclose(found.shares, np.array(expected) / null, atol=1e-7)


def test_a_category_that_decides_everything_explains_everything() -> None:
    outcomes = np.repeat([[1.0, 1.0], [0.0, 0.0]], 5, axis=0)
    shares = deviances_of(crossed(outcomes, (5, 5))).shares
    assert shares[TERMS.index("category")] == pytest.approx(1.0)
    assert shares[TERMS.index("method")] == pytest.approx(0.0, abs=1e-12)


def test_where_all_succeed_there_is_nothing_to_explain() -> None:
    assert np.isnan(deviances_of(crossed(np.ones((6, 2)), (3, 3))).shares).all()


def test_degrees_of_freedom_count_what_was_tried() -> None:
    assert freedoms(COUNTS) == (2, 3, 5, 2, 3, 6)


def test_a_penalty_explains_less_and_hardly_less_with_many_attempts() -> None:
    plain, held = deviances_of(COUNTS), penalised_deviances(COUNTS)
    assert (held.shares[0, :3] < plain.shares[:3]).all()
    loose = penalised_deviances(COUNTS, penalty=1e-6)
    np.testing.assert_allclose(loose.shares[0], plain.shares, atol=1e-6)


def test_thousands_of_tables_are_answered_as_each_alone() -> None:
    hits, tries = COUNTS.cells()
    many = np.stack([hits, np.minimum(hits + 1.0, tries)])
    found = deviances(many, tries)
    np.testing.assert_allclose(found.shares[0], deviances_of(COUNTS).shares, atol=1e-9)
    assert found.shares.shape == (2, len(TERMS))


def test_factors_alone_are_answered_without_a_fit_and_alike() -> None:
    hits, tries = COUNTS.cells()
    many = np.stack([hits, np.minimum(hits + 1.0, tries), tries])
    alone = shares_alone(many, np.broadcast_to(tries, many.shape))
    assert alone.shape == (3, len(ALONE))
    np.testing.assert_array_equal(alone, shares(many, tries)[:, : len(ALONE)])
    assert np.isnan(alone[2]).all() and np.isfinite(alone[:2]).all()


def test_dummies_are_full() -> None:
    level = np.array([0, 2, 1])
    assert full_dummies(level, 3).sum() == 3


def test_a_factor_of_one_level_adds_nothing_at_all() -> None:
    found = deviances_of(crossed(np.array([[1.0], [0.0], [1.0], [1.0], [0.0]]), (2, 3)))
    assert [float(found.drops[at]) for at in (1, 4, 5)] == [0.0, 0.0, 0.0]
    assert float(found.drops[0]) > 0.0
