"""The tables of explained deviance: known numbers, notes, and odd data."""

import time
from functools import cache

import pytest
from msgspec.structs import replace

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.published_attempts import attempts
from kernelbenchx.analysis.published_data import NEAR_ZERO
from kernelbenchx.analysis.table import Table, Value
from kernelbenchx.analysis.variance import outcomes, tables
from kernelbenchx.core.grades import Grade

FOUR = [one for one in attempts() if one.method != NEAR_ZERO]


@cache
def _published() -> dict[str, Table]:
    return _named(FOUR)


def _named(given: list[Attempt], replicates: int = 50) -> dict[str, Table]:
    return {table.name: table for table in tables(given, replicates=replicates)}


def _row(table: Table, **given: str) -> dict[str, Value]:
    (row,) = [row for row in table.records() if given.items() <= row.items()]
    return row


@pytest.mark.parametrize(
    ("model", "df", "deviance", "explained", "adjusted", "aic", "bic"),
    [
        ("null", 0, 707.9, 0.0, 0.0, 709.9, 714.4),
        ("method", 3, 684.4, 3.32, 2.47, 692.4, 710.6),
        ("category", 14, 636.0, 10.16, 6.20, 666.0, 734.3),
        ("category + method", 17, 609.9, 13.85, 9.04, 645.9, 727.9),
    ],
)
def test_models_of_the_published_counts(
    model: str, df: int, deviance: float, explained: float, adjusted: float, aic: float, bic: float
) -> None:
    row = _row(_published()["variance_models"], outcome="correct", model=model)
    assert (row["n"], row["tasks"], row["df"]) == (704, 176, df)
    found = [float(str(row[key])) for key in ("deviance", "aic", "bic")]
    assert found == pytest.approx([deviance, aic, bic], abs=0.06)
    shares = [100 * float(str(row[key])) for key in ("explained", "adjusted")]
    assert shares == pytest.approx([explained, adjusted], abs=0.006)


def test_terms_are_tested_both_ways_and_intervals_stand_beside() -> None:
    found = _published()
    term = _row(found["variance_terms"], outcome="correct", term="category given method")
    assert term["df"] == 14
    assert float(str(term["drop"])) == pytest.approx(74.52, abs=0.01)
    assert float(str(term["per_df"])) == pytest.approx(74.52 / 14, abs=0.01)
    assert float(str(term["likelihood_ratio_p"])) < 1e-8
    assert 1 / 51 <= float(str(term["permutation_p"])) < 0.2
    ends = _row(found["variance_intervals"], outcome="correct", term="category")
    values = [float(str(ends[key])) for key in ("low", "corrected", "high", "raw")]
    assert values[0] < values[1] < values[2]
    assert values[1] < values[3]


def test_the_penalised_fit_is_in_a_table_of_its_own() -> None:
    row = _row(_published()["variance_penalised"], outcome="correct", term="category")
    assert round(100 * float(str(row["explained"])), 2) == 9.42


def test_equation_and_coding_are_printed() -> None:
    notes = " ".join(_published()["variance_models"].notes)
    assert "logit P(success" in notes
    assert "categories against Activation (levels: 15)" in notes
    assert "methods against AutoTriton (levels: 4)" in notes


def test_uncertified_tasks_are_left_out_of_one_row() -> None:
    trusted = [
        replace(one, grade=Grade.CERTIFIED if one.category != "Fusion" else Grade.IMPORTED)
        for one in FOUR
    ]
    rows = _named(trusted)["variance_sensitivity"]
    row = _row(rows, outcome="correct", data="without uncertified tasks (60)")
    assert row["n"] == 704 - 240


def test_the_row_of_all_data_repeats_the_table_of_intervals() -> None:
    found = _published()
    row = _row(found["variance_sensitivity"], outcome="correct", data="all")
    for term in ("category", "method"):
        main = _row(found["variance_intervals"], outcome="correct", term=term)
        keys = (f"{term}_corrected", f"{term}_corrected_low", f"{term}_corrected_high")
        assert [row[key] for key in keys] == pytest.approx(
            [main[key] for key in ("corrected", "low", "high")]
        )
    other = _row(found["variance_sensitivity"], outcome="correct", data="without category Math")
    assert other["category_corrected_high"] != row["category_corrected_high"]
    assert any("50 draws" in note for note in found["variance_sensitivity"].notes)


def test_the_same_seed_gives_the_same_tables() -> None:
    first, second = ([one.to_plain() for one in tables(FOUR, replicates=30)] for _ in range(2))
    assert first == second


@pytest.mark.parametrize("outcome", ["correct", "wrong", "void"])
def test_where_all_end_alike_nothing_is_explained(outcome: str) -> None:
    alike = _named([replace(one, outcome=outcome) for one in FOUR])
    assert not [row for row in alike["variance_models"].records() if row["outcome"] == "correct"]
    assert any("nothing to explain" in note for note in alike["variance_models"].notes)


def test_what_was_told_to_stop_before_an_outcome_is_not_asked_for_it() -> None:
    stopped = [replace(FOUR[0], outcome="reached", stage=stage) for stage in ("check", "call")]
    known = {name: counts.n for name, counts in outcomes(stopped)}
    assert known == {"correct": 0, "compile": 1}


def test_no_attempts_make_tables_without_rows() -> None:
    assert all(len(table.rows) <= 6 for table in tables([]))


def test_a_single_method_and_a_category_of_one_task() -> None:
    given = [
        replace(one, method="m", model="", sample=at % 4, run=one.method)
        for at, one in enumerate(FOUR)
        if one.category in ("Math", "Fusion") or one.task == "reduce/unnamed-01"
    ]
    found = _named(given)
    for name in ("variance_terms", "variance_intervals", "variance_penalised"):
        assert {row["term"] for row in found[name].records()} == {"category"}
    assert {row["model"] for row in found["variance_models"].records()} == {"null", "category"}
    assert found["variance_sensitivity"].rows == ()
    assert any("Of one task only: Reduce" in note for note in found["variance_intervals"].notes)


def test_categories_of_one_task_are_pooled_where_intervals_are_asked_for() -> None:
    small = ("reduce/unnamed-01", "loss/unnamed-01", "index/unnamed-01")
    given = [one for one in FOUR if one.category == "Math" or one.task in small]
    found = _named(given)
    (note,) = [one for one in found["variance_intervals"].notes if "pooled" in one]
    assert note.endswith("Index, Loss, Reduce.")
    term = _row(found["variance_terms"], outcome="correct", term="category")
    assert term["df"] == 3
    raw = _row(found["variance_intervals"], outcome="correct", term="category")["raw"]
    assert float(str(raw)) < float(str(term["explained"]))


def test_where_every_category_has_one_task_nothing_is_said_of_category() -> None:
    firsts = {f"{one.category}": one.task for one in reversed(FOUR)}
    given = [one for one in FOUR if firsts[one.category] == one.task]
    found = _named(given)["variance_intervals"]
    assert {row["term"] for row in found.records()} == {"method"}
    assert any("pooled" in note for note in found.notes)


def test_a_hundred_thousand_attempts_take_seconds() -> None:
    many = [replace(one, sample=sample, digest="") for sample in range(143) for one in FOUR]
    assert len(many) > 100_000
    start = time.process_time()
    tables(many)
    assert time.process_time() - start < 30.0
