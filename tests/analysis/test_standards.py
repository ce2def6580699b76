"""The three standards stand side by side, whichever is chosen."""

from attempts_made import made, wrong
from kernelbenchx.analysis.apply_standard import judge_by
from kernelbenchx.analysis.standards import tables
from kernelbenchx.core.standards import Standard

GIVEN = [
    made("math/a", basic=True, core=True),
    wrong("math/b", basic=True, core=True),
    wrong("math/c", basic=True, core=False),
    wrong("loss/d", basic=None, core=False),
    wrong("loss/e", outcome="reached", basic=None, core=None),
]


def test_each_share_is_of_those_that_were_judged() -> None:
    by_method, by_category = tables(GIVEN)
    (row,) = by_method.records()
    assert (row["tasks"], row["attempts"]) == (5, 5)
    assert (row["basic"], row["core"], row["strict"]) == (1.0, 0.5, 0.25)
    assert by_category.name == "standards_by_category"


def test_the_papers_rule_stands_beside_them_for_those_it_was_applied_to() -> None:
    given = [
        made("math/a", basic=True, core=True, paper_called=True, paper_correct=False),
        wrong("math/b", basic=True, core=True, paper_called=True, paper_correct=True),
        wrong("math/c", basic=True, core=False),
    ]
    (row,) = tables(given)[0].records()
    assert (row["paper_called"], row["paper_correct"]) == (1.0, 0.5)
    (without,) = tables(GIVEN)[0].records()
    assert without["paper_called"] is without["paper_correct"] is None


def test_the_chosen_standard_changes_nothing_here() -> None:
    judged = [one for one in GIVEN if one.basic is not None]
    strict, basic = (tables(judge_by(judged, one))[0] for one in (Standard.STRICT, Standard.BASIC))
    assert strict.rows == basic.rows
