"""Parts of the data, and which factor is ahead by which measure."""

import math

import numpy as np
import pytest

from counted_trials import crossed, drawn
from kernelbenchx.analysis.deviance_resampling import spread
from kernelbenchx.analysis.sensitivity import (
    AHEAD,
    DRAWN,
    NOTHING,
    SHARES,
    ahead_of,
    as_tables,
    compare_shares,
    variants,
)
from kernelbenchx.analysis.success_counts import Counts

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
    found = compare_shares("correct", "all", COUNTS)
    assert found.ahead[:4] == ("correct", "all", "category", "category")
    assert found.ahead[5] == "category"
    other = drawn(
        np.random.default_rng(1), (20, 12, 8, 2), by_category=0.0, by_method=2.0, by_task=0.3
    )
    assert set(compare_shares("correct", "all", other).ahead[2:]) == {"method"}


def test_one_method_or_equal_ends_leave_cells_empty() -> None:
    single = crossed(COUNTS.successes[:, :1], (20, 12, 8, 2))
    alike = crossed(np.ones((4, 2)), (2, 2))
    for counts in (single, alike):
        found = compare_shares("correct", "all", counts)
        assert set(found.shares[6:]) == set(found.ahead[2:]) == {None}


def test_with_nothing_to_compare_there_are_no_rows() -> None:
    single = crossed(COUNTS.successes[:, :1], (20, 12, 8, 2))
    rows = [compare_shares("correct", name, part) for name, part in variants(single, None)]
    for table in as_tables("name", "Title", rows):
        assert table.rows == ()
    assert as_tables("name", "Title", rows)[0].notes == (NOTHING,)
    some = as_tables("name", "Title", [*rows, compare_shares("correct", "all", COUNTS)])
    assert len(some[0].rows) == len(rows) + 1 and some[0].notes == (DRAWN.format(1000),)


def test_rows_fit_the_columns_of_both_tables() -> None:
    rows = [compare_shares("correct", "all", COUNTS, replicates=50)]
    shares, ahead = as_tables("name", "Title", rows, ("note",), replicates=50)
    assert (shares.columns, ahead.columns) == (SHARES, AHEAD)
    row = shares.records()[0]
    assert row["category"] == max(row["category"], row["category_corrected"])  # type: ignore[type-var]
    assert (shares.name, ahead.name) == ("name", "name_ahead")
    assert shares.notes == ("note", DRAWN.format(50)) and "50 draws" in shares.notes[1]


def _ends(counts: Counts, factor: str) -> list[float]:
    row = compare_shares("correct", "all", counts, replicates=200).shares
    keys = [column.key for column in SHARES]
    parts = ("corrected", "corrected_low", "corrected_high")
    return [float(str(row[keys.index(f"{factor}_{part}")])) for part in parts]


@pytest.mark.parametrize("factor", ["category", "method"])
def test_every_row_has_the_interval_that_the_main_table_would_give_it(factor: str) -> None:
    part = COUNTS.without_method("method1")
    found = spread(part, rng=np.random.default_rng(0), replicates=200)
    at = ("category", "method").index(factor)
    expected = [float(ends[at]) for ends in (found.corrected, found.low, found.high)]
    assert _ends(part, factor) == pytest.approx(expected, abs=1e-12)
    corrected, low, high = _ends(part, factor)
    assert low <= max(corrected, 0.0) <= high
    assert high > 0.0


def test_a_row_of_a_handful_of_tasks_has_no_interval_but_a_share() -> None:
    few = COUNTS.without_tasks([*COUNTS.tasks[4:20], *COUNTS.tasks[24:]])
    corrected, low, high = _ends(few, "category")
    assert math.isfinite(corrected) and math.isnan(low) and math.isnan(high)


def test_categories_of_one_task_each_tell_nothing_of_category() -> None:
    alone = crossed(COUNTS.successes[:15], (1,) * 15)
    assert all(map(math.isnan, _ends(alone, "category")))
    assert all(map(math.isfinite, _ends(alone, "method")))
    ahead = compare_shares("correct", "all", alone, replicates=50).ahead
    assert ahead[2] is not None and ahead[3] is None


def test_equal_is_neither() -> None:
    assert ahead_of((1.0, 1.0)) == "equal"
    assert (ahead_of((2.0, 1.0)), ahead_of((1.0, 2.0))) == ("category", "method")
    assert ahead_of((math.nan, 1.0)) is None
