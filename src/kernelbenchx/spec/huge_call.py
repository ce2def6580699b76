"""A call with more elements than a 32-bit index can name, which is judged on slices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.cases import Case

INT32 = 1 << 31
"""The first index that int32 does not hold."""
COLUMNS = 4093
"""Of tasks along rows: a prime, so that rows start at every alignment."""
_MORE = 4099
"""So many elements, or at least one row, lie beyond the threshold."""


@dataclass(frozen=True)
class HugeCall:
    """One call of a task whose slices along the first dimension do not depend on each other.

    Entry i of the result follows from entry i of every tensor argument: reference and contract
    hold for a slice of the call as they do for the whole.
    """

    params: Mapping[str, Any]
    """Of the task's `inputs`, without `shape`."""
    columns: int = 1
    """Elements of one entry; 1: the call is about a vector."""

    def case(self, threshold: int = INT32) -> Case:
        """The whole call."""
        return self.make_case(threshold // self.columns + 1 + _MORE // self.columns)

    def make_case(self, entries: int) -> Case:
        """The same call with so many entries."""
        shape = (entries,) if self.columns == 1 else (entries, self.columns)
        return Case({"shape": shape, **self.params}, needs=frozenset({Scope.SCALE}))
