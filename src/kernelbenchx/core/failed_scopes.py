"""Describes which scopes and dtypes a submission fails."""

from collections import Counter
from collections.abc import Sequence

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import CaseState, Correct
from kernelbenchx.core.scopes import Scope, ScopeCount, find_scope, sum_dtypes


def describe_failed_scopes(evaluation: Evaluation) -> str:
    """`core correct; fails layout 4 of 5, dtype 2 of 3`; empty if nothing fails.

    For a submission that is basic and not core correct: `core correct in float32; fails float16 and
    bfloat16`.
    """
    counts = evaluation.scopes
    if isinstance(evaluation.outcome, Correct) or not any(one.failed for one in counts):
        return ""
    if evaluation.basic_correct and not evaluation.core_correct:
        return _by_dtype(evaluation)
    return "; ".join(
        _by_scope(evaluation, counts, ["core correct"] * bool(evaluation.core_correct))
    )


def _by_scope(
    evaluation: Evaluation, counts: Sequence[ScopeCount], parts: list[str], dtype: str = ""
) -> list[str]:
    """Scopes that fail or were not reached, in one dtype or in all."""
    lost = count_not_reached(evaluation, dtype)
    totals = sum_dtypes(one for one in counts if dtype in ("", one.dtype))
    failed = [_phrase(one, lost[one.scope]) for one in totals if one.failed > lost[one.scope]]
    missing = [one.scope.value for one in totals if one.failed == lost[one.scope] > 0]
    parts += [f"fails {', '.join(failed)}"] if failed else []
    parts += [f"not reached: {', '.join(missing)}"] if missing else []
    return parts


def _by_dtype(evaluation: Evaluation) -> str:
    """Failing dtypes; other scopes are named as far as they fail in the first dtype."""
    first = evaluation.first_dtype
    core = [one for one in evaluation.scopes if one.scope is Scope.CORE and one.failed]
    fails = f"fails {_enumerate([one.dtype or 'other inputs' for one in core])}"
    cause = _cause_in_core(evaluation)
    parts = [f"core correct in {first}", f"{fails}: {cause}" if cause else fails]
    others = _by_scope(evaluation, evaluation.scopes, [], first)
    return "; ".join([*parts, *(f"in {first} {one}" for one in others)])


def _cause_in_core(evaluation: Evaluation) -> str:
    """The main cause in words, if it explains most of the failing core cases."""
    main = evaluation.main_cause
    failed = [
        one.case
        for one in evaluation.cases
        if find_scope(one.needs) is Scope.CORE and one.state is not CaseState.PASSED
    ]
    known = main is not None and 2 * len(set(failed) & set(main.cases)) > len(failed)
    return main.words if main is not None and known else ""


def _enumerate(names: Sequence[str]) -> str:
    """`float16, bfloat16 and float64`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _phrase(one: ScopeCount, lost: int) -> str:
    rest = f" ({lost} not reached)" if lost else ""
    return f"{one.scope.value} {one.failed - lost} of {one.total}{rest}"


def count_not_reached(evaluation: Evaluation, dtype: str = "") -> Counter[Scope]:
    """How many cases of each scope no process reached, in one dtype or in all."""
    return Counter(
        find_scope(one.needs)
        for one in evaluation.cases
        if one.state is CaseState.NOT_REACHED and dtype in ("", one.dtype)
    )
