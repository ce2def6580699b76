import pytest

from kernelbenchx.core.outcome import CaseResult, CaseState
from kernelbenchx.core.partial_credit import PartialCredit, partial_credit
from kernelbenchx.core.scopes import Scope

PASSED, WRONG, BROKEN = CaseState.PASSED, CaseState.WRONG, CaseState.BROKEN
LAYOUT, DTYPE = (Scope.LAYOUT,), (Scope.DTYPE,)


def one(state: CaseState, needs: tuple[Scope, ...] = (), *, trivial: bool = False) -> CaseResult:
    return CaseResult("n", state, needs=needs, trivial=trivial)


def test_scopes_weigh_alike_however_many_cases_they_have() -> None:
    cases = [one(PASSED), one(PASSED, LAYOUT), one(PASSED, LAYOUT), one(BROKEN, DTYPE)]
    assert partial_credit(cases) == PartialCredit(
        core=1.0, basic_passed=False, core_passed=True, others=0.5
    )


def test_others_count_only_after_all_of_core() -> None:
    cases = [one(PASSED), one(CaseState.NOT_REACHED), one(PASSED, LAYOUT)]
    assert partial_credit(cases) == PartialCredit(
        core=0.5, basic_passed=False, core_passed=False, others=0.0
    )


def test_trivial_cases_show_nothing_but_must_pass_in_core() -> None:
    trivial = one(PASSED, LAYOUT, trivial=True)
    right = [one(PASSED), one(PASSED, trivial=True), trivial, one(WRONG, DTYPE)]
    assert partial_credit(right) == PartialCredit(
        core=1.0, basic_passed=False, core_passed=True, others=0.0
    )
    failing = [one(PASSED), one(WRONG, trivial=True), one(PASSED, DTYPE)]
    assert partial_credit(failing) == PartialCredit(
        core=1.0, basic_passed=False, core_passed=False, others=0.0
    )
    nothing = [one(PASSED, trivial=True), one(PASSED, DTYPE), one(WRONG, LAYOUT)]
    assert partial_credit(nothing) == PartialCredit(
        core=0.0, basic_passed=False, core_passed=False, others=0.0
    )


@pytest.mark.parametrize(
    "unknown", [CaseResult("n", PASSED), CaseResult("n", PASSED, needs=()), None]
)
def test_where_facts_are_missing_nothing_is_said(unknown: CaseResult | None) -> None:
    assert partial_credit([] if unknown is None else [one(PASSED), unknown]) is None
    assert partial_credit([one(PASSED)]) is not None
