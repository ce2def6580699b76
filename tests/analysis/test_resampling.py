"""Medians, means and correlations of tasks drawn again."""

import numpy as np
import pytest

from kernelbenchx.analysis.intervals import task_weights
from kernelbenchx.analysis.resampling import correlation, ends, means_of_draws, medians_of_draws

RNG = np.random.default_rng(1)
TASKS = np.repeat(np.arange(40), 5)


def test_between_the_ends_lie_95_of_100_draws() -> None:
    low, high = ends(np.arange(1001.0))
    assert (low, high) == pytest.approx((25.0, 975.0))
    assert np.isnan(ends(np.array([np.nan, np.nan, 1.0]))).all()


def test_values_of_one_task_are_drawn_together() -> None:
    of_task = RNG.normal(size=40)
    alike, torn = of_task[TASKS], RNG.permutation(of_task[TASKS])
    wide, narrow = means_of_draws(alike, TASKS).std(), means_of_draws(torn, TASKS).std()
    assert wide == pytest.approx(of_task.std() / np.sqrt(40), rel=0.15)
    assert narrow < 0.7 * wide


def test_medians_are_those_of_the_tasks_that_were_drawn() -> None:
    values = np.array([1.0, 2.0, 10.0])
    found = set(medians_of_draws(values, np.arange(3), 300).tolist())
    assert found == {1.0, 2.0, 10.0}
    even = medians_of_draws(np.array([1.0, 3.0]), np.arange(2), 300)
    assert set(even.tolist()) == {1.0, 2.0, 3.0}


def test_correlation_is_pearsons_and_none_without_spread() -> None:
    first = RNG.normal(size=200)
    second = first + RNG.normal(size=200)
    value, draws = correlation(first, second, TASKS)
    assert value == pytest.approx(np.corrcoef(first, second)[0, 1])
    low, high = ends(draws)
    assert low < value < high
    assert np.isnan(correlation(np.ones(200), second, TASKS)[0])


def test_every_draw_is_what_its_tasks_give_when_they_are_written_out() -> None:
    """Tasks of different sizes: a task drawn twice comes with all of its values, twice."""
    tasks = np.repeat(np.arange(7), [1, 5, 2, 9, 3, 1, 4])
    first, second = RNG.normal(size=tasks.size), RNG.normal(size=tasks.size)
    weights = task_weights(7, 60)
    assert (weights.sum(axis=1) == 7).all() and weights.max() > 1
    rows = [np.repeat(np.arange(tasks.size), one[tasks]) for one in weights]
    means, medians = means_of_draws(first, tasks, 60), medians_of_draws(first, tasks, 60)
    _, related = correlation(first, second, tasks, 60)
    assert means == pytest.approx([first[row].mean() for row in rows])
    assert medians == pytest.approx([np.median(first[row]) for row in rows])
    written = [np.corrcoef(first[row], second[row])[0, 1] for row in rows]
    assert related == pytest.approx(written)


def test_medians_of_many_draws_are_those_of_few() -> None:
    """They are made in portions: a portion has no edge."""
    values, tasks = RNG.normal(size=30), np.repeat(np.arange(10), 3)
    assert (medians_of_draws(values, tasks, 130)[:60] == medians_of_draws(values, tasks, 60)).all()


def test_one_task_says_nothing_of_others() -> None:
    values, one = np.array([1.0, 2.0]), np.zeros(2, int)
    assert np.isnan(means_of_draws(values, one)).all()
    assert np.isnan(medians_of_draws(values, one)).all()
    assert np.isnan(correlation(values, values, one)[1]).all()


def test_draws_in_which_one_side_does_not_vary_are_left_out() -> None:
    """Three tasks of twenty differ: many draws hold none, and rounding is no correlation."""
    values = np.array([0.1] * 17 + [0.7, 0.8, 0.9])
    _, drawn = correlation(values, np.linspace(0.3, 0.7, 20), np.arange(20))
    known = drawn[np.isfinite(drawn)]
    assert 0 < known.size < drawn.size
    assert np.abs(known).min() > 1e-6
