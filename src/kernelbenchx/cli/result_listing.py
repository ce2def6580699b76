"""Results as a list, for many results or a narrow terminal: causes, then a few lines for each."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.number_format import format_count, short
from kernelbenchx.core.outcome import Correct, Reached, Void
from kernelbenchx.core.scale import FAILED_AT_SCALE
from kernelbenchx.store.evaluation_rows import reason_of

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.core.evaluation import Evaluation

MOST_ROWS = 40
"""Results that are shown one by one, unless all are asked for."""
MOST_CAUSES = 12
BRIEF = MOST_ROWS // 2
"""From more rows on, each reason is cut to one line."""
_INDENT = 4


def print_causes(evaluations: Sequence["Evaluation"], shown: "Console") -> None:
    """How many failed by each cause, with the first of them."""
    causes: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for one in evaluations:
        if one.solved or isinstance(one.outcome, Reached | Void):
            continue
        cause = (one.verdict, _reason(one))
        causes[cause] += 1
        first.setdefault(cause, one.submission)
    if not causes:
        return
    shown.print(Text(f"{causes.total():,} of {len(evaluations):,} fail, by cause", "bold"))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right")
    for _ in range(3):
        table.add_column(no_wrap=True, overflow="ellipsis")
    for cause, count in causes.most_common(MOST_CAUSES):
        table.add_row(f"{count:,}", *map(Text, cause), Text(f"such as {first[cause]}", "dim"))
    shown.print(table)
    if len(causes) > MOST_CAUSES:
        shown.print(Text(f"… and {format_count(len(causes) - MOST_CAUSES, 'more cause')}"))
    shown.print()


def _reason(one: "Evaluation") -> str:
    if one.verdict == FAILED_AT_SCALE and isinstance(one.outcome, Correct):
        return one.scale.reason.value if one.scale.reason else ""
    return reason_of(one)


def print_rest(total: int, listed: int, shown: "Console") -> None:
    """That there are more rows, and how to see them."""
    if total > listed:
        shown.print(Text(f"… and {format_count(total - listed, 'more row')}: --all shows them"))


def print_list(
    evaluations: Sequence["Evaluation"],
    shown: "Console",
    verdict: Callable[["Evaluation"], Sequence[Text]],
    why: Callable[["Evaluation"], str],
) -> None:
    """A line for each, and below it why; one line of it where there are many."""
    names = [short(one.submission, 40) for one in evaluations]
    verdicts = [verdict(one) for one in evaluations]
    width = max(map(len, names), default=0)
    outcome = max((len(words[0]) for words in verdicts), default=0)
    for one, name, (first, *rest) in zip(evaluations, names, verdicts, strict=True):
        first.pad_right(outcome - len(first))
        shown.print(Text("  ").join([Text(name.ljust(width)), first, *rest]))
        said = reason(why(one), len(evaluations))
        shown.print(Padding(said, (0, 0, 0, _INDENT), expand=False))


def reason(said: str, rows: int) -> Text:
    """Why a submission has its outcome; on one line where there are many."""
    if rows <= BRIEF:
        return Text(said)
    return Text(short(said, 1000), no_wrap=True, overflow="ellipsis")
