"""Which scopes a submission fails, in a phrase."""

from collections import Counter

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import CaseState, Correct
from kernelbenchx.core.scopes import Scope, ScopeCount, counted_in, sum_dtypes


def graded(evaluation: Evaluation) -> str:
    """`core correct; fails layout 4 of 5, dtype 2 of 3`; empty where nothing fails."""
    counts = sum_dtypes(evaluation.scopes)
    if isinstance(evaluation.outcome, Correct) or not any(one.failed for one in counts):
        return ""
    lost = not_reached(evaluation)
    failed = [_phrase(one, lost[one.scope]) for one in counts if one.failed > lost[one.scope]]
    missing = [one.scope.value for one in counts if one.failed == lost[one.scope] > 0]
    parts = ["core correct"] if evaluation.core_correct else []
    parts += [f"fails {', '.join(failed)}"] if failed else []
    parts += [f"not reached: {', '.join(missing)}"] if missing else []
    return "; ".join(parts)


def _phrase(one: ScopeCount, lost: int) -> str:
    rest = f" ({lost} not reached)" if lost else ""
    return f"{one.scope.value} {one.failed - lost} of {one.total}{rest}"


def not_reached(evaluation: Evaluation) -> Counter[Scope]:
    """How many cases of each scope no process came to."""
    return Counter(
        counted_in(one.needs) for one in evaluation.cases if one.state is CaseState.NOT_REACHED
    )
