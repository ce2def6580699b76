"""Three standards of correctness: how much of a task a submission must get right.

Each contains the one before: what is strictly correct is core correct, and what is core correct is
basically correct.
"""

from collections.abc import Sequence
from enum import StrEnum

from kernelbenchx.core.scopes import Scope, ScopeCount


class Standard(StrEnum):
    """What `correct` means, from the weakest to the strictest."""

    BASIC = "basic"
    """Every core call in the task's first dtype."""
    CORE = "core"
    """Every core call."""
    STRICT = "strict"
    """Every call, and every timed one where times were taken."""


DEFINITIONS = {
    Standard.BASIC: "every core call in the task's first dtype passes",
    Standard.CORE: "every core call passes",
    Standard.STRICT: "every call passes, and every timed one where times were taken",
}


def meets_core(standard: Standard, counts: Sequence[ScopeCount], first_dtype: str) -> bool | None:
    """Whether core calls pass, by `CORE` all and by `BASIC` those in the first dtype.

    None if there is no such call. With `CORE` met, so is `BASIC`.
    """
    core = [one for one in counts if one.scope is Scope.CORE]
    whole = not any(one.failed for one in core) if core else None
    if standard is not Standard.BASIC or whole:
        return whole
    first = [one for one in core if one.dtype == first_dtype]
    return not any(one.failed for one in first) if first else None
