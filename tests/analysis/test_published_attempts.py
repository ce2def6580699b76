"""The tables come back out of the attempts, however tasks are arranged."""

import pytest

from kernelbenchx.analysis.published_attempts import TaskArrangement, attempts, count_of, successes
from kernelbenchx.analysis.published_data import METHODS, TABLE_3, TABLE_4, TASKS


@pytest.mark.parametrize("arrangement", TaskArrangement)
def test_every_printed_rate_comes_back(arrangement: TaskArrangement) -> None:
    given = attempts(arrangement)
    assert len(given) == 880
    assert len({one.key for one in given}) == 880
    for category, tasks in TASKS.items():
        for at, method in enumerate(METHODS):
            here = [one for one in given if (one.category, one.method) == (category, method)]
            assert len(here) == tasks
            right, ran = sum(one.correct for one in here), sum(one.called for one in here)
            assert round(100 * right / tasks, 1) == TABLE_3[category][at]
            assert round(100 * ran / tasks, 1) == TABLE_4[category][at]


def test_alike_solves_fewer_different_tasks_than_spread() -> None:
    solved = {
        arrangement: len({one.task for one in attempts(arrangement) if one.correct})
        for arrangement in TaskArrangement
    }
    assert solved[TaskArrangement.ALIKE] < solved[TaskArrangement.SPREAD]


def test_tasks_have_no_names_that_could_be_taken_for_real_ones() -> None:
    assert all("/unnamed-" in one.task for one in attempts())
    assert not any(one.certified for one in attempts())


def test_the_method_near_zero_is_left_out_unless_asked_for() -> None:
    assert successes(lambda one: one.correct).n == 704
    assert successes(lambda one: one.correct, without=()).n == 880


def test_a_percentage_of_no_whole_number_of_tasks_is_an_error() -> None:
    assert count_of(16.7, 6) == 1
    with pytest.raises(ValueError, match="no whole number"):
        count_of(20.0, 6)
