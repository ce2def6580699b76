"""Parts of the data, and which factor is ahead by which measure."""

import numpy as np

from counted_trials import crossed, drawn
from kernelbenchx.analysis.sensitivity import (
    AHEAD,
    NOTHING,
    SHARES,
    ahead_of,
    as_tables,
    compared,
    variants,
)

COUNTS = drawn(
    np.random.default_rng(1), (20, 12, 8, 2), by_category=2.0, by_method=0.2, by_task=0.3
)


def test_every_method_and_every_category_is_left_out_once() -> None:
    names = [name for name, _ in variants(COUNTS, ["task0"])]
    assert len(names) == 1 + 4 + 4 + 2
    parts = dict(variants(COUNTS, ["task0"]))
    assert parts["without method method1"].n == COUNTS.n * 3 // 4
    assert parts["without category category3"].n == COUNTS.n - 8
    assert parts["without uncertified tasks (1)"].n == COUNTS.n - 4
    assert len(parts["categories of at most 3 tasks pooled"].categories) == 4


def test_without_certificates_or_one_certified_task_there_is_no_such_row() -> None:
    for uncertified in (None, COUNTS.tasks):
        assert not any("uncertified" in name for name, _ in variants(COUNTS, uncertified))


def test_a_strong_category_is_ahead_and_a_strong_method_too() -> None:
    found = compared("correct", "all", COUNTS)
    assert found.ahead[:4] == ("correct", "all", "category", "category")
    assert found.ahead[5] == "category"
    other = drawn(
        np.random.default_rng(1), (20, 12, 8, 2), by_category=0.0, by_method=2.0, by_task=0.3
    )
    assert set(compared("correct", "all", other).ahead[2:]) == {"method"}


def test_one_method_or_equal_ends_leave_cells_empty() -> None:
    single = crossed(COUNTS.successes[:, :1], (20, 12, 8, 2))
    alike = crossed(np.ones((4, 2)), (2, 2))
    for counts in (single, alike):
        found = compared("correct", "all", counts)
        assert set(found.shares[6:]) == set(found.ahead[2:]) == {None}


def test_with_nothing_to_compare_there_are_no_rows() -> None:
    single = crossed(COUNTS.successes[:, :1], (20, 12, 8, 2))
    rows = [compared("correct", name, part) for name, part in variants(single, None)]
    for table in as_tables("name", "Title", rows):
        assert table.rows == ()
    assert as_tables("name", "Title", rows)[0].notes == (NOTHING,)
    some = as_tables("name", "Title", [*rows, compared("correct", "all", COUNTS)])
    assert len(some[0].rows) == len(rows) + 1 and some[0].notes == ()


def test_rows_fit_the_columns_of_both_tables() -> None:
    shares, ahead = as_tables("name", "Title", [compared("correct", "all", COUNTS)], ("note",))
    assert (shares.columns, ahead.columns) == (SHARES, AHEAD)
    row = shares.records()[0]
    assert row["category"] == max(row["category"], row["category_corrected"])  # type: ignore[type-var]
    assert (shares.name, ahead.name, shares.notes) == ("name", "name_ahead", ("note",))


def test_equal_is_neither() -> None:
    assert ahead_of((1.0, 1.0)) == "equal"
    assert (ahead_of((2.0, 1.0)), ahead_of((1.0, 2.0))) == ("category", "method")
