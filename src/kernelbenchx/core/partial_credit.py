"""How much of each scope a submission passed, counting only non-trivial cases."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from kernelbenchx.core.outcome import CaseResult, CaseState
from kernelbenchx.core.record import Record
from kernelbenchx.core.scopes import Scope, find_scope


class PartialCredit(Record, frozen=True, kw_only=True):
    """Shares between 0 and 1 of the cases that no trivial answer passes."""

    core: float
    """Of the core cases; beyond `basic`, of those in other dtypes than the first."""
    basic_passed: bool
    """Whether every core case in the task's first dtype passed, and at least one was not
    trivial."""
    core_passed: bool
    """Whether every core case passed, trivial ones too, and at least one was not trivial."""
    others: float
    """Mean over the other scopes, each with the same weight; 0 unless all of core passed."""


def partial_credit(cases: Sequence[CaseResult], first_dtype: str = "") -> PartialCredit | None:
    """Compute it from all cases of an evaluation; None if their trivial answers are not known."""
    if not cases or any(one.trivial is None for one in cases):
        return None
    in_core = [one for one in cases if _scope(one) is Scope.CORE]
    basic = bool(first_dtype) and _is_passed([one for one in in_core if one.dtype == first_dtype])
    core = _is_passed(in_core)
    left = [one for one in in_core if not basic or one.dtype != first_dtype]
    shares = _shares(cases)
    shares.pop(Scope.CORE, None)
    return PartialCredit(
        core=1.0 if core else _shares(left).get(Scope.CORE, 0.0),
        basic_passed=basic,
        core_passed=core,
        others=fmean(shares.values()) if core and shares else 0.0,
    )


def _is_passed(cases: Sequence[CaseResult]) -> bool:
    """Whether all passed, and not only cases that a trivial answer passes."""
    passed = all(one.state is CaseState.PASSED for one in cases)
    return passed and any(not one.trivial for one in cases)


def _shares(cases: Sequence[CaseResult]) -> dict[Scope, float]:
    """Shares by scope; one whose cases are all trivial has no weight."""
    telling = [one for one in cases if not one.trivial]
    total = Counter(map(_scope, telling))
    passed = Counter(_scope(one) for one in telling if one.state is CaseState.PASSED)
    return {scope: passed[scope] / total[scope] for scope in total}


def _scope(one: CaseResult) -> Scope:
    return find_scope(one.needs)
