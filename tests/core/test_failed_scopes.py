"""The phrase about scopes; the lines of results in `tests/cli/test_scopes.py` have more of them."""

from kernelbenchx.core.failed_scopes import count_not_reached, describe_failed_scopes
from kernelbenchx.core.outcome import CaseResult, CaseState, Reason, Wrong
from kernelbenchx.core.scopes import Scope
from samples import evaluation

WRONG = Wrong(case="a", reason=Reason.BAD_VALUES, detail="far")
CASES = (
    CaseResult("a", CaseState.PASSED, needs=()),
    CaseResult("b", CaseState.WRONG, needs=(Scope.LAYOUT,)),
    CaseResult("c", CaseState.NOT_REACHED, needs=(Scope.LAYOUT,)),
)


def test_failing_scopes_are_counted_apart_from_those_not_reached() -> None:
    one = evaluation(outcome=WRONG, cases=CASES)
    assert describe_failed_scopes(one) == "core correct; fails layout 1 of 2 (1 not reached)"
    assert count_not_reached(one) == {Scope.LAYOUT: 1}


def test_nothing_is_said_where_nothing_fails_or_was_judged() -> None:
    assert describe_failed_scopes(evaluation(cases=CASES[:1])) == ""
    assert describe_failed_scopes(evaluation(outcome=WRONG)) == ""
    assert count_not_reached(evaluation(outcome=WRONG, cases=CASES[:2])) == {}
