"""Lists sources that were not judged, in lines."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from kernelbenchx.cli.flags import with_flags
from kernelbenchx.core.not_judged import NotJudged, WhyNotJudged

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.evaluate.intake import Intake

MOST_NAMED = 10
"""So many are named one by one; the run holds all of them."""


def print_not_judged(found: Sequence[NotJudged], out: Path, shown: "Console") -> None:
    """The first of them by name."""
    for one in found[:MOST_NAMED]:
        shown.print(Text(f"not judged, {with_flags(str(one))}", "dim"), soft_wrap=True)
    if len(found) > MOST_NAMED:
        asked = f'kbx query {out} "select * from not_judged"'
        more = f"not judged, and {len(found) - MOST_NAMED:,} more: {asked}"
        shown.print(Text(more, "dim"), soft_wrap=True)


def judged_of(found: "Intake") -> list[str]:
    """How many of all were judged; nothing where all were."""
    if not found.not_judged:
        return []
    files = found.total - found.rows
    what = "rows" if not files else "files" if not found.rows else "rows and files"
    why = _reasons(Counter(one.why.value for one in found.not_judged))
    return [f"{len(found.submissions):,} of {found.total:,} {what} judged; {why}"]


def left_out(counts: Mapping[str, int]) -> list[str]:
    """The same of a run, which does not know how many there were in all."""
    total = sum(counts.values())
    return [f"{total:,} rows or files not judged: {_reasons(counts)}"] if total else []


def _reasons(counts: Mapping[str, int]) -> str:
    parts = []
    if unknown := counts.get(WhyNotJudged.UNKNOWN_TASK, 0):
        parts.append(
            f"{unknown:,} name tasks that are not in this catalogue"
            if unknown > 1
            else "1 names a task that is not in this catalogue"
        )
    if unread := counts.get(WhyNotJudged.UNREADABLE, 0):
        parts.append(f"{unread:,} could not be read")
    return "; ".join(parts)
