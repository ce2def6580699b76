"""What a case asks of a submission beyond the ordinary, and how many cases of each kind pass."""

from collections import Counter
from collections.abc import Collection, Iterable
from enum import StrEnum

from kernelbenchx.core.record import Record


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
    """Cases of one scope."""

    scope: Scope
    passed: int
    total: int

    @property
    def failed(self) -> int:
        """Wrong, broken, or not reached."""
        return self.total - self.passed


def counted_in(needs: Collection[Scope]) -> Scope:
    """The scope that a case speaks of: only one that it needs alone can be blamed for it."""
    special = [one for one in needs if one is not Scope.CORE]
    if len(special) > 1:
        return Scope.COMBINED
    return special[0] if special else Scope.CORE


def count_scopes(judged: Iterable[tuple[Scope, bool]]) -> tuple[ScopeCount, ...]:
    """From the scope of each case and whether it passed; a scope without cases is left out."""
    passed: Counter[Scope] = Counter()
    total: Counter[Scope] = Counter()
    for scope, right in judged:
        total[scope] += 1
        passed[scope] += right
    return tuple(
        ScopeCount(scope=one, passed=passed[one], total=total[one]) for one in Scope if total[one]
    )
