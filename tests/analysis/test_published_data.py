"""The printed numbers are complete and stand for whole kernels."""

import pytest

from kernelbenchx.analysis.published_attempts import count_of
from kernelbenchx.analysis.published_data import METHODS, TABLE_1, TABLE_2, TABLE_3, TABLE_4, TASKS


def test_every_table_speaks_of_the_same_categories_and_methods() -> None:
    assert sum(TASKS.values()) == 176
    assert len(TASKS) == 15
    assert tuple(TABLE_1) == METHODS
    assert set(TABLE_3) == set(TABLE_4) == set(TASKS)
    assert set(TABLE_2) < set(TASKS)
    assert {len(row) for table in (TABLE_3, TABLE_4) for row in table.values()} == {len(METHODS)}


@pytest.mark.parametrize("category", TASKS)
def test_percentages_stand_for_whole_kernels_and_no_more_are_correct_than_compile(
    category: str,
) -> None:
    tasks = TASKS[category]
    for right, ran in zip(TABLE_3[category], TABLE_4[category], strict=True):
        assert count_of(right, tasks) <= count_of(ran, tasks) <= tasks
