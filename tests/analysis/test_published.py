"""The analysis of the published results as a whole."""

from functools import cache

import pytest

from kernelbenchx.analysis.published import attempts, opening, tables
from kernelbenchx.analysis.table import Table


@cache
def _tables() -> dict[str, Table]:
    return {table.name: table for table in tables()}


def test_every_table_has_rows_and_a_name_of_its_own() -> None:
    assert len(_tables()) == 18
    assert all(table.rows for table in _tables().values())
    assert len(attempts()) == 880


@pytest.mark.parametrize(
    ("about", "names"),
    [
        (("speed",), ["published_speed"]),
        (
            ("hardware", "iterations"),
            [
                "published_rescued",
                "published_round_rates",
                "published_risen",
                "published_rounds",
                "published_cards",
            ],
        ),
        (("failures",), []),
    ],
)
def test_only_what_was_asked_about(about: tuple[str, ...], names: list[str]) -> None:
    assert [table.name for table in tables(about)] == names


def test_the_papers_own_headline_opens() -> None:
    names = [table.name for table in opening()]
    assert list(_tables())[: len(names)] == names
    first, *_ = opening()[0].records()
    assert (first["methods"], first["model"]) == ("4 methods", "as printed")
    assert [first["category"], first["method"]] == pytest.approx([0.094, 0.033])


def test_the_headline_turns_with_the_fifth_method_and_without_math() -> None:
    rows = _tables()["published_sensitivity_ahead"].records()
    ahead = {(row["outcome"], row["data"]): row["raw"] for row in rows}
    assert ahead["correct", "four methods"] == "category"
    assert ahead["correct", "all five methods"] == "method"
    assert ahead["correct", "four, without category Math"] == "method"
    assert ahead["correct", "four, without category Loss"] == "category"


def test_method_wins_per_degree_of_freedom_and_by_bic() -> None:
    (row,) = [
        one
        for one in _tables()["published_sensitivity_ahead"].records()
        if (one["outcome"], one["data"]) == ("correct", "four methods")
    ]
    said = [row[key] for key in ("raw", "per_df", "aic", "bic")]
    assert said == ["category", "method", "category", "method"]


def test_intervals_of_the_two_arrangements_overlap_but_say_different_things() -> None:
    rows = _tables()["published_intervals"].records()
    category = {row["arrangement"]: row for row in rows if row["term"] == "category"}
    assert category["alike"]["raw"] == category["spread"]["raw"]
    assert category["alike"]["low"] == 0.0
    low = category["spread"]["low"]
    assert isinstance(low, float)
    assert low > 0.05


def test_labels_move_the_share_of_category_by_about_a_point() -> None:
    rows = _tables()["published_relabelled"].records()
    assert len(rows) == 16
    assert rows[0]["least"] == rows[0]["most"]
    least, most = (
        [value for row in rows if isinstance(value := row[key], float)] for key in ("least", "most")
    )
    assert 0.08 < min(least) < 0.1016 < max(most) < 0.12
