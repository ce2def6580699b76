"""Tables of the analysis for people: an interval in one cell, no more rows than one reads."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table as Shown
from rich.text import Text

from kernelbenchx.analysis.table import Column, Table, Value, shown

if TYPE_CHECKING:
    from rich.console import Console

MOST_ROWS = 40
"""Of a table that is longer, so many rows are shown for each card."""
_RIGHT = ("count", "number", "percent", "ratio", "seconds")


@dataclass(frozen=True)
class _Place:
    """Where a shown column takes its cells from: a value, and its ends where it has them."""

    column: Column
    value: int
    low: int | None = None
    high: int | None = None

    def cell(self, row: Sequence[Value]) -> str:
        value, form = row[self.value], self.column.form
        if self.low is None or self.high is None:
            return shown(value, form)
        ends = [_bare(row[place], form) for place in (self.low, self.high)]
        said = shown(value, form)
        return said if "-" in ends else f"{said} [{ends[0]}, {ends[1]}]"


def print_table(table: Table, to: "Console") -> None:
    """Title, definition, rows and notes; one line where there are no rows."""
    to.print(Text(table.title, "bold"), end="")
    if not table.rows:
        to.print(Text(": nothing to show", "dim"))
        _print_lines(table.notes, to)
        return
    to.print()
    to.print(Text(table.about, "dim"))
    places = list(_joined(table.columns))
    if places[0].column.key == "card" and len(places) > 1:
        for card in dict.fromkeys(row[0] for row in table.rows):
            to.print(Text(f"card: {card}"))
            _print_rows(places[1:], [row for row in table.rows if row[0] == card], to)
    else:
        _print_rows(places, table.rows, to)
    _print_lines(table.notes, to)
    to.print()


def _print_rows(places: Sequence[_Place], rows: Sequence[Sequence[Value]], to: "Console") -> None:
    laid = Shown(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for place in places:
        right = place.column.form in _RIGHT
        laid.add_column(
            place.column.title, justify="right" if right else "left", overflow="fold", no_wrap=right
        )
    for row in rows[:MOST_ROWS]:
        laid.add_row(*(Text(place.cell(row)) for place in places))
    to.print(laid)
    more = len(rows) - MOST_ROWS
    if more > 0:
        to.print(Text(f"… and {more:,} more rows: --json or --csv FOLDER has them all"))


def _print_lines(lines: Sequence[str], to: "Console") -> None:
    for line in lines:
        to.print(Text(line, "dim"))


def _joined(columns: Sequence[Column]) -> Iterator[_Place]:
    """`x`, `x_low`, `x_high` become one; so do `low` and `high` behind any value."""
    keys = [column.key for column in columns]
    place = 0
    while place < len(columns):
        behind = keys[place + 1 : place + 3]
        key = keys[place]
        if behind in (["low", "high"], [f"{key}_low", f"{key}_high"]):
            yield _Place(columns[place], place, place + 1, place + 2)
            place += 3
        else:
            yield _Place(columns[place], place)
            place += 1


def _bare(value: Value, form: str) -> str:
    """Without the sign that the value itself carries."""
    said = shown(value, form)
    return said if said == "-" else said.removesuffix(" %").removesuffix("x").removesuffix(" s")
