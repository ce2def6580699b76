"""What a case asks of a submission beyond the ordinary, and how many cases of each kind pass."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from enum import StrEnum

from kernelbenchx.core.record import Record

_DTYPE = re.compile(r"(?:^|,)dtype=(\w+)")


class Scope(StrEnum):
    """A kind of demand; a case that makes several counts for none of them alone."""

    CORE = "core"
    """Contiguous inputs in the task's main dtypes, ordinary values and shapes."""
    LAYOUT = "layout"
    """Strided, transposed, offset or expanded inputs; `out=` and in-place."""
    DTYPE = "dtype"
    """Integers, bool, float64, complex; `dtype=`."""
    VALUES = "values"
    """NaN, infinities, values near the largest of the dtype."""
    DEGENERATE = "degenerate"
    """Empty and 0-d tensors, tensors of one element."""
    SCALE = "scale"
    """The timed sizes, and others that need many blocks or 64-bit offsets."""
    COMBINED = "combined"
    """For counting: cases that make several of these demands."""


class ScopeCount(Record, frozen=True, kw_only=True):
    """Cases of one scope and dtype."""

    scope: Scope
    dtype: str = ""
    """Dtype of the inputs; empty if they have none, and in sums over dtypes."""
    passed: int
    total: int

    @property
    def failed(self) -> int:
        """Number of cases that are wrong, broken, or not reached."""
        return self.total - self.passed


def find_scope(needs: Collection[Scope]) -> Scope:
    """The scope of a case: only one that it needs alone can be the reason for its failure."""
    special = [one for one in needs if one is not Scope.CORE]
    if len(special) > 1:
        return Scope.COMBINED
    return special[0] if special else Scope.CORE


def count_scopes(judged: Iterable[tuple[Scope, str, bool]]) -> tuple[ScopeCount, ...]:
    """Count from the scope and dtype of each case and whether it passed; in the order of scopes."""
    passed: Counter[tuple[Scope, str]] = Counter()
    total: Counter[tuple[Scope, str]] = Counter()
    for scope, dtype, right in judged:
        total[scope, dtype] += 1
        passed[scope, dtype] += right
    found = [
        ScopeCount(scope=scope, dtype=dtype, passed=passed[scope, dtype], total=count)
        for (scope, dtype), count in total.items()
    ]
    return sort_scopes(found)


def sort_scopes(counts: Iterable[ScopeCount]) -> tuple[ScopeCount, ...]:
    """Sort by scope; dtypes of a scope stay in their order."""
    order = list(Scope)
    return tuple(sorted(counts, key=lambda one: order.index(one.scope)))


def sum_dtypes(counts: Iterable[ScopeCount]) -> tuple[ScopeCount, ...]:
    """One count for each scope, over all dtypes."""
    passed: Counter[Scope] = Counter()
    total: Counter[Scope] = Counter()
    for one in counts:
        passed[one.scope] += one.passed
        total[one.scope] += one.total
    return sort_scopes(
        ScopeCount(scope=scope, passed=passed[scope], total=count) for scope, count in total.items()
    )


def find_named_dtype(case: str) -> str:
    """The dtype in the name of a case; empty if it names none."""
    found = _DTYPE.search(case)
    return found[1] if found else ""
