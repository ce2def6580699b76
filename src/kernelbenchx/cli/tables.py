"""Tables of the analysis for people: an interval in one cell, no more rows than one reads."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table as Shown
from rich.text import Text

from kernelbenchx.analysis.authors import NOT_SAID
from kernelbenchx.analysis.table import Column, Table, Value, format_value
from kernelbenchx.cli.column_widths import Head, TableLayout, fit_columns, harmless

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod

MOST_ROWS = 60
"""Of a table that is longer, so many rows are shown under each heading."""
_RIGHT = ("count", "number", "percent", "ratio", "seconds")
_HEADINGS = {
    "gpu": "on {}",
    "baseline": "over {}",
    "composition": "{} kernels",
    "outcome": "outcome: {}",
    "by": "by {}",
    "study": "{}",
    "source": "{}",
}
"""Columns that, where a table begins with them, are said once above the rows they hold for."""


@dataclass(frozen=True)
class _CellSource:
    """Where a shown column takes its cells from: a value, and its ends where it has them."""

    column: Column
    value: int
    low: int | None = None
    high: int | None = None

    @property
    def right(self) -> bool:
        return self.column.form in _RIGHT

    def cell(self, row: Sequence[Value]) -> str:
        value, form = row[self.value], self.column.form
        if self.low is None or self.high is None:
            return harmless(format_value(value, form))
        limits = row[self.low], row[self.high]
        said = harmless(format_value(value, form, limits))
        ends = [_bare(one, form, (value, *limits)) for one in limits]
        return said if "-" in ends else f"{said} [{ends[0]}, {ends[1]}]"


def print_tables(tables: Sequence[Table], to: "Console", said: set[str]) -> None:
    """Those of one analysis; what was said above is not said again, empty ones come last. Where
    all are empty it is said why."""
    for table in (one for one in tables if one.rows):
        notes = tuple(note for note in table.notes if note not in said)
        about = table.about if table.about not in said else ""
        said |= {about, *notes}
        print_table(replace(table, about=about, notes=notes), to)
    empty = [one for one in tables if not one.rows]
    why = dict.fromkeys(note for one in empty for note in one.notes)
    if why and len(empty) == len(tables):
        to.print(Text(f"Nothing to show. {' '.join(why)}", "dim"))
    elif empty:
        to.print(Text(f"Nothing to show: {'; '.join(one.title for one in empty)}", "dim"))
        _print_lines([note for note in why if note not in said], to)


def print_table(table: Table, to: "Console") -> None:
    """Title, definition, rows and notes."""
    to.print(Text(table.title, "bold"))
    if table.about:
        to.print(Text(table.about, "dim"))
    places = list(_join_intervals(table.columns))
    above = _leading(places)
    known = [one for one in places[above:] if any(one.cell(row) != "-" for row in table.rows)]
    rows = [table.rows[place] for place in table.glance] or table.rows
    _print_groups(known, _group_rows(places[:above], rows), to)
    _print_rest(len(table.rows) - len(rows), to)
    _print_lines(table.notes, to)
    to.print()


def _leading(places: Sequence[_CellSource]) -> int:
    """How many columns at the beginning are headings; one column at least stays one."""
    count = 0
    while count < len(places) - 1 and places[count].column.key in _HEADINGS:
        count += 1
    return count


def _group_rows(
    above: Sequence[_CellSource], rows: Sequence[Sequence[Value]]
) -> dict[str, list[Sequence[Value]]]:
    """Rows by what is said above them, in the order in which it first occurs."""
    cards = {row[one.value] for one in above if one.column.key == "gpu" for row in rows}
    found: dict[str, list[Sequence[Value]]] = {}
    for row in rows:
        words = [
            _heading(one.column.key, one.cell(row))
            for one in above
            if cards != {NOT_SAID} or one.column.key != "gpu"
        ]
        found.setdefault(", ".join(words), []).append(row)
    return found


def _heading(key: str, value: str) -> str:
    if key == "gpu" and value == NOT_SAID:
        return "GPU not recorded"
    return _HEADINGS[key].format(value)


def _print_groups(
    places: Sequence[_CellSource], groups: Mapping[str, Sequence[Sequence[Value]]], to: "Console"
) -> None:
    """All with the same columns, equally wide."""
    heads = [Head(one.column.title, one.right, one.column.aside) for one in places]
    rows = [row for group in groups.values() for row in group[:MOST_ROWS]]
    laid = fit_columns(heads, [[place.cell(row) for place in places] for row in rows], to.width)
    cells = iter(laid.cells)
    for heading, group in groups.items():
        if heading:
            to.print(Text(heading, "bold dim"))
        to.print(_make_rich_table(laid, islice(cells, min(len(group), MOST_ROWS))))
        _print_rest(len(group) - MOST_ROWS, to)


def _print_rest(more: int, to: "Console") -> None:
    if more > 0:
        to.print(Text(f"… and {more:,} more rows: --json or --csv FOLDER has them all"))


def _make_rich_table(laid: TableLayout, cells: Iterable[Sequence[str]]) -> Shown:
    drawn = Shown(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, pad_edge=False)
    for head, width in zip(laid.heads, laid.widths, strict=True):
        side: JustifyMethod = "right" if head.right else "left"
        drawn.add_column(Text(head.title), justify=side, width=width, overflow="fold")
    for row in cells:
        drawn.add_row(*map(Text, row))
    return drawn


def _print_lines(lines: Iterable[str], to: "Console") -> None:
    for line in lines:
        to.print(Text(line, "dim"))


def _join_intervals(columns: Sequence[Column]) -> Iterator[_CellSource]:
    """`x`, `x_low`, `x_high` become one; so do `low` and `high` behind any value."""
    keys = [column.key for column in columns]
    place = 0
    while place < len(columns):
        behind = keys[place + 1 : place + 3]
        key = keys[place]
        if behind in (["low", "high"], [f"{key}_low", f"{key}_high"]):
            yield _CellSource(columns[place], place, place + 1, place + 2)
            place += 3
        else:
            yield _CellSource(columns[place], place)
            place += 1


def _bare(value: Value, form: str, beside: Sequence[Value]) -> str:
    """Without the sign that the value itself carries."""
    said = format_value(value, form, beside)
    return said if said == "-" else said.removesuffix(" %").removesuffix("x").removesuffix(" s")
