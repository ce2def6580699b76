"""The first ten lines of `kbx analyze`: what methods solve, how fast, and why the rest fails."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from kernelbenchx.analysis.authors import NOT_SAID
from kernelbenchx.analysis.causes import Cause
from kernelbenchx.analysis.summary import MethodSummary, Summary
from kernelbenchx.analysis.table import Interval
from kernelbenchx.cli.column_widths import harmless
from kernelbenchx.cli.number_format import interval

if TYPE_CHECKING:
    from rich.console import Console

MOST_METHODS = 4
MOST_CAUSES = 4
MOST_SCOPES = 3


def print_at_a_glance(summary: Summary, to: "Console") -> None:
    """With the line above them and the hint below, ten lines at most in 80 columns."""
    shown = summary.methods[:MOST_METHODS]
    timed = any(one.speedup is not None for one in shown)
    several = len(summary.gpus) > 1
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, pad_edge=False)
    many = len(summary.methods)
    title = f"{MOST_METHODS} of {many} methods" if many > MOST_METHODS else "method"
    table.add_column(title, no_wrap=True, overflow="ellipsis", max_width=24)
    if several:
        table.add_column("on", no_wrap=True, overflow="ellipsis", max_width=14)
    for column in ("solved tasks", "core", "correct", *(["speedup"] if timed else [])):
        table.add_column(column, no_wrap=True)
    for one in shown:
        cells = [one.method, *([one.gpu] if several else []), *_numbers(one, timed=timed)]
        table.add_row(*(Text(harmless(cell)) for cell in cells))
    to.print(table)
    for line in _lines(summary):
        to.print(Text(line), no_wrap=True, overflow="ellipsis")


def _numbers(one: MethodSummary, *, timed: bool) -> list[str]:
    solved = one.solved
    if math.isnan(solved.value):
        said = "not judged"
    else:
        ends = f" [{100 * solved.low:.0f}, {100 * solved.high:.0f}]"
        known = math.isfinite(solved.low)
        count = round(solved.value * one.tasks)
        said = f"{count}/{one.tasks} {100 * solved.value:.0f} %{ends if known else ''}"
    return [said, _share(one.core), _share(one.correct), *([_speed(one.speedup)] if timed else [])]


def _share(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{100 * value:.0f} %"


def _speed(over: Interval | None) -> str:
    if over is None:
        return "-"
    known = math.isfinite(over.low) and math.isfinite(over.high)
    return interval(over.value, over.low, over.high) if known else interval(over.value)


def _lines(summary: Summary) -> Iterator[str]:
    failures = summary.failures
    named = len(summary.gpus) > 1 and failures.gpu != NOT_SAID
    where = f" on {failures.gpu}" if named else ""
    if failures.failed and {name for name, _ in failures.causes} != {Cause.NOT_SAID.value}:
        causes = ", ".join(f"{name} {count}" for name, count in failures.causes[:MOST_CAUSES])
        yield f"{failures.failed} of {failures.attempts} attempts fail{where}: {causes}"
    if failures.scopes:
        worst = ", ".join(
            f"{name} {_share(share)}" for name, share in failures.scopes[:MOST_SCOPES]
        )
        yield f"scopes beside core that fail most{where}: {worst}"
