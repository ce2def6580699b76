"""Scopes over attempts: fail none of a scope's own cases, fail some, or were not judged."""

from typing import Any

from attempts_made import broken, made, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.scopes import tables
from kernelbenchx.analysis.table import Table
from kernelbenchx.core.scopes import Scope, ScopeCount


def _counts(**passed: tuple[int, int]) -> dict[str, Any]:
    """`core=(6, 6)`: six of six core cases pass."""
    scopes = tuple(
        ScopeCount(scope=Scope(name), passed=right, total=total)
        for name, (right, total) in passed.items()
    )
    return {"scopes": scopes, "core": passed["core"][0] == passed["core"][1]}


GIVEN = [
    made("a", **_counts(core=(6, 6), layout=(3, 3))),
    wrong("b", **_counts(core=(6, 6), layout=(2, 3), combined=(0, 4))),
    wrong("c", **_counts(core=(5, 6), layout=(3, 3))),
    broken("d", core=False),
    void("e"),
]


def _named(attempts: list[Attempt], name: str = "scopes_by_method") -> Table:
    (found,) = [one for one in tables(attempts) if one.name == name]
    return found


def _scope(table: Table, scope: str) -> dict[str, Any]:
    (row,) = [one for one in table.records() if one["scope"] == scope]
    return row


def test_a_submission_that_fails_one_case_of_a_scope_fails_it() -> None:
    row = _scope(_named(GIVEN), "layout")
    counts = ("tasks", "judged", "passed", "failed", "not_judged")
    assert [row[key] for key in counts] == [3, 3, 2, 1, 1]
    plain = wilson(2, 3)
    assert (row["rate"], row["rate_low"], row["rate_high"]) == (plain.value, plain.low, plain.high)


def test_a_scope_without_cases_is_not_judged_and_has_no_rate() -> None:
    row = _scope(_named(GIVEN), "dtype")
    assert (row["judged"], row["not_judged"], row["rate"]) == (0, 4, None)
    assert _scope(_named(GIVEN), "combined")["judged"] == 1
    assert not [one for one in _named(GIVEN[:1]).records() if one["scope"] == "combined"]


def test_every_grouping_of_rates_is_there_and_skips_what_was_not_judged() -> None:
    names = [one.name for one in tables(GIVEN)]
    by = ("method", "category", "difficulty", "dtype", "round")
    assert names == [f"scopes_by_{one}" for one in by]
    rows = _named(GIVEN, "scopes_by_category").records()
    assert [(one["category"], one["scope"]) for one in rows] == [
        ("Math", "core"),
        ("Math", "layout"),
        ("Math", "combined"),
    ]


def test_a_sentence_names_the_scopes_that_fail_most() -> None:
    given = [*GIVEN, wrong("f", **_counts(core=(6, 6), dtype=(0, 3)))]
    said = (
        "On card, 3 of 5 submissions are core correct. "
        "Other scopes that fail most, as means over tasks: dtype (100.0 %), layout (33.3 %)."
    )
    assert _named(given).notes[0] == said
    right = [made("a", **_counts(core=(6, 6), layout=(3, 3)))]
    assert _named(right).notes[0].endswith("No other scope fails.")


def test_attempts_without_scopes_are_not_judged_and_the_table_says_so() -> None:
    table = _named([made("a"), wrong("b")])
    assert all(one["judged"] == 0 and one["not_judged"] == 2 for one in table.records())
    assert "No scope was judged" in table.notes[0]
    assert "No scope was judged" not in " ".join(_named(GIVEN).notes)


def test_without_attempts_there_is_no_row_and_a_reason() -> None:
    assert all(one.rows == () for one in tables([void("e")]))
    assert _named([void("e")]).notes
