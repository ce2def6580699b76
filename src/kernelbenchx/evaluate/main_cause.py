"""Finds the cause that explains most failing cases of a submission, in a few words."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from kernelbenchx.core.outcome import Broken, MainCause, Wrong

_LONGEST = 160
_VARIES = re.compile(r"'[^']*'|\b(?:fp|bf|u?int|float|bfloat)\d+\w*|\d+(?:\.\d+)?(?:e[+-]?\d+)?")
"""Parts that differ between messages of one cause: names of dtypes, numbers, quoted words."""
_POINTED = re.compile(r"(?:CompilationError: )?at \d+:\d+:\n.*\n *\^[^\n]*\n?", re.DOTALL)
"""How Triton shows a location, before the message."""
_DTYPES = re.compile(r"Expected dtype (\[[^]]*\]) but got \w+")
_CALL = re.compile(r"\btl(?:\.\w+)+(?=\()")
_TAKES_ALL = frozenset(
    f"tl.{name}" for name in ("load", "store", "where", "arange", "program_id", "sum", "max", "min")
)
"""Functions that take every dtype: another one on the line refused it."""

Failure = TypeVar("Failure", bound=Broken | Wrong)


def find_main_cause(failures: Sequence[Broken | Wrong], source: str) -> MainCause | None:
    """Find the main cause over all failing cases, each with its failure, in the order of the
    task."""
    if not failures:
        return None
    chosen = largest_group(failures, {one.case: (0, at) for at, one in enumerate(failures)})
    first = chosen[0]
    return MainCause(
        reason=first.reason,
        words=describe_cause(first, source),
        case=first.case,
        cases=tuple(one.case for one in chosen),
    )


def largest_group(
    failures: Sequence[Failure], order: Mapping[str, tuple[int, int]]
) -> list[Failure]:
    """The cases of the most frequent kind of failure; the plainest case first."""
    groups: dict[str, list[Failure]] = {}
    for one in sorted(failures, key=lambda one: order.get(one.case, (0, 0))):
        groups.setdefault(_kind(one), []).append(one)
    return max(groups.values(), key=len)


def _kind(one: Broken | Wrong) -> str:
    """A key that is equal for all failures that one mistake explains."""
    if isinstance(one, Wrong):
        return one.reason.value
    return f"{one.reason.value} {_VARIES.sub('#', _first_line(one.detail))}"


def _first_line(detail: str) -> str:
    """The first line of a message, without the place that Triton shows before it."""
    return _POINTED.sub("", detail, count=1).strip().partition("\n")[0]


def describe_cause(one: Broken | Wrong, source: str = "") -> str:
    """``tl.exp` takes fp32 or fp64 (line 12)``, or the message itself."""
    if isinstance(one, Wrong):
        return _short(one.pattern or _first_line(one.detail))
    place = f" (line {one.line})" if one.line else ""
    return _short(_dtypes_taken(one, source) or _first_line(one.detail)) + place


def _dtypes_taken(one: Broken, source: str) -> str:
    """The name of Triton's function that refuses a dtype; empty for another error."""
    found = _DTYPES.search(one.detail)
    lines = source.split("\n")
    if found is None or not 1 <= one.line <= len(lines):
        return ""
    called = set(_CALL.findall(lines[one.line - 1])) - _TAKES_ALL
    kinds = " or ".join(re.findall(r"\w+", found[1]))
    return f"`{called.pop()}` takes {kinds}" if len(called) == 1 else ""


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
