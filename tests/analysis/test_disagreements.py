"""Lucky and infeasible attempts, each with both reasons."""

from typing import Any

import pytest

from attempts_made import made, void, wrong
from kernelbenchx.analysis.apply_standard import judge_by
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.disagreements import INFEASIBLE, LUCKY, kind_of, tables
from kernelbenchx.core.scopes import Scope, ScopeCount
from kernelbenchx.core.standards import Standard

SCOPES = (
    ScopeCount(scope=Scope.CORE, dtype="float32", passed=3, total=3),
    ScopeCount(scope=Scope.CORE, dtype="float16", passed=1, total=3),
    ScopeCount(scope=Scope.LAYOUT, passed=0, total=2),
)
THEIRS: dict[str, Any] = {"paper_called": True, "paper_correct": True}
FAILS: dict[str, Any] = {
    "paper_called": True,
    "paper_correct": False,
    "paper_detail": "test_case_2: 3 of 9 differ",
}
REASON = "it compares torch's own optimizer object"


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (wrong(**THEIRS), LUCKY),
        (made(**THEIRS), ""),
        (made(**FAILS), INFEASIBLE),
        (wrong(**FAILS), ""),
        (wrong(**FAILS, paper_infeasible=REASON), INFEASIBLE),
        (wrong(**THEIRS, paper_infeasible=REASON), LUCKY),
        (made(), ""),
        (wrong(outcome="reached", **THEIRS), ""),
        (wrong(level=1, passes_1e_2=True), LUCKY),
        (made(level=1, passes_1e_2=False), INFEASIBLE),
    ],
)
def test_who_is_lucky_and_what_is_infeasible(one: Attempt, kind: str) -> None:
    assert kind_of(one) == kind


def test_each_row_has_both_reasons_in_a_phrase() -> None:
    given = [
        made("math/a", **FAILS),
        wrong("math/b", scopes=SCOPES, **THEIRS),
        wrong("math/c", outcome="rejected", reason="torch", **THEIRS),
        wrong("math/d", paper_infeasible=REASON, **FAILS),
        made("math/e", **THEIRS),
        void("math/f", **THEIRS),
    ]
    (table,) = tables(given)
    assert [(row["kind"], row["task"], row["ours"], row["theirs"]) for row in table.records()] == [
        (LUCKY, "math/b", "bad_values: 2 of 3 core calls in float16 fail", "passes"),
        (LUCKY, "math/c", "torch", "passes"),
        (INFEASIBLE, "math/a", "correct", "test_case_2: 3 of 9 differ"),
        (INFEASIBLE, "math/d", "bad_values", f"no honest kernel passes: {REASON}"),
    ]


def test_a_weaker_standard_leaves_fewer_lucky_ones() -> None:
    one = wrong(basic=True, core=False, **THEIRS)
    assert len(tables([one])[0].rows) == 1
    assert not tables(judge_by([one], Standard.BASIC))[0].rows


def test_a_run_without_the_rules_says_how_to_apply_them() -> None:
    (table,) = tables([made(), wrong("math/b")])
    assert not table.rows and "--paper-rules" in table.notes[-1]
    assert not any("--paper-rules" in note for note in tables([made(**THEIRS)])[0].notes)
