"""Tables 2 to 4 of the paper for a run, against counts by hand and against the paper itself."""

from collections.abc import Sequence
from typing import Any

import pytest

from attempts_made import broken, made, wrong
from kernelbenchx.analysis.apply_standard import judge_by
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.paper_categories import tables
from kernelbenchx.analysis.paper_tables import of_the_paper
from kernelbenchx.analysis.published_attempts import attempts
from kernelbenchx.analysis.published_data import METHODS, NEAR_ZERO, TABLE_2, TABLE_3, TABLE_4
from kernelbenchx.analysis.table import Table
from kernelbenchx.core.standards import Standard

YES = {"paper_called": True, "paper_correct": True, "basic": True, "core": True}
NO = {"paper_called": True, "paper_correct": False, "basic": True, "core": False}
GIVEN = [
    made("math/sub", **YES),
    wrong("math/abs", **NO),
    broken("math/cos", paper_called=False, paper_correct=False, basic=False, core=False),
    made("math/sub", method="n", **YES),
    made("loss/kl_div", category="Loss", **YES),
]


def _tables(given: Sequence[Attempt]) -> dict[str, Table]:
    return {one.name: one for one in tables(of_the_paper(frame_of(given).last))}


def _records(given: Sequence[Attempt], number: int) -> list[dict[str, Any]]:
    return _tables(given)[f"paper_table_{number}"].records()


def test_conversion_pools_methods_and_stands_beside_the_papers() -> None:
    rows = {(row["category"], row["judged_by"]): row for row in _records(GIVEN, 2)}
    math = rows["Math", "strict"]
    # Shares by task: sub 1 of 1 by both methods, abs runs, cos does not.
    assert (math["compiled"], math["correct"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert (math["conversion"], math["tasks"], math["of"]) == (pytest.approx(1 / 2), 3, 36)
    assert math["paper_correct"] == pytest.approx(0.403)
    assert rows["Math", "basic"]["correct"] == pytest.approx(2 / 3)
    assert rows["Loss", "strict"]["paper_correct"] is None, "the paper prints six categories"
    assert [name for name, judged in rows if judged == "core"] == ["Loss", "Math"]


@pytest.mark.parametrize("category", ["Fusion", "Quantization"])
def test_conversion_of_the_papers_four_methods_is_as_it_prints_it(category: str) -> None:
    four = [one for one in attempts() if one.method != NEAR_ZERO]
    (row,) = [one for one in _records(four, 2) if one["category"] == category]
    found = [100 * (row[key] or 0.0) for key in ("compiled", "correct", "conversion")]
    assert found == pytest.approx(TABLE_2[category], abs=0.051)


def test_a_glance_shows_the_papers_rule_and_the_chosen_standard() -> None:
    table = _tables(GIVEN)["paper_table_2"]
    assert {table.rows[place][2] for place in table.glance} == {"the paper's rule", "strict"}
    core = _tables(judge_by(GIVEN, Standard.CORE))
    shown = {core["paper_table_2"].rows[place][2] for place in core["paper_table_2"].glance}
    assert shown == {"the paper's rule", "core"}
    aside = {one.key for one in core["paper_table_3"].columns if one.aside}
    assert {"basic", "strict"} <= aside and not {"rule", "core", "paper_GEAK"} & aside
    plain = [made("math/sub")]
    assert _tables(plain)["paper_table_2"].glance == (), "nothing else is known"


def test_correct_by_category_and_method_has_a_column_for_each_judgement() -> None:
    rows = {(row["method"], row["category"]): row for row in _records(GIVEN, 3)}
    math = rows["m", "Math"]
    shares = (math["rule"], math["basic"], math["core"], math["strict"])
    assert shares == pytest.approx((1 / 3, 2 / 3, 1 / 3, 1 / 3))
    assert rows["n", "Math"]["strict"] == 1.0 and rows["n", "Math"]["tasks"] == 1
    assert [math[f"paper_{name}"] for name in METHODS] == pytest.approx(
        [0.306, 0.361, 0.444, 0.5, 0.0]
    )


def test_compiled_is_told_apart_by_whose_calls_ended() -> None:
    rows = {(row["method"], row["category"]): row for row in _records(GIVEN, 4)}
    assert (rows["m", "Math"]["rule"], rows["m", "Math"]["called"]) == pytest.approx((2 / 3, 2 / 3))
    harsh = [broken("math/sub", paper_called=True, paper_correct=True)]
    (row,) = _records(harsh, 4)
    assert (row["rule"], row["called"]) == (1.0, 0.0)
    (row,) = _records([made("math/sub")], 4)
    assert (row["rule"], row["called"]) == (None, 1.0), "the rule was not applied"


@pytest.mark.parametrize(("number", "printed"), [(3, TABLE_3), (4, TABLE_4)])
def test_the_papers_own_attempts_give_its_own_tables(
    number: int, printed: dict[str, tuple[float, ...]]
) -> None:
    rows = _records(attempts(), number)
    assert len(rows) == 15 * 5
    for row in rows:
        percent = printed[row["category"]][METHODS.index(row["method"])]
        assert 100 * row["rule"] == pytest.approx(percent, abs=0.051)
        assert percent == pytest.approx(100 * row[f"paper_{row['method']}"])
