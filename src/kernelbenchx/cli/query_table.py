"""Rows that a query gave, for reading: a table where it fits, else a block of lines for each."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.case_names import Breakable, longest_piece
from kernelbenchx.cli.number_format import printable
from kernelbenchx.store.evaluation_lookup import KEY_SHOWN

if TYPE_CHECKING:
    from rich.console import Console

_DIGEST = re.compile(r"[0-9a-f]{64}")
_WIDE = 1e6
"""From here on six digits would leave out whole units."""
_LINES = 4
"""A cell of a table may be broken into about so many lines: more are read better in a block."""


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[Any]], shown: "Console") -> None:
    """Numbers in six digits; keys are cut before anything else, and never broken."""
    names = [printable(name) for name in columns]
    cells = [[_format_cell(cell) for cell in row] for row in rows]
    for table in (cells, [[_cut(cell) for cell in row] for row in cells]):
        widths = _widths(names, table)
        if _total(widths) <= shown.width:
            shown.print(_table(names, table, widths))
            return
    widest = max(range(len(widths)), key=widths.__getitem__)
    room = widths[widest] - (_total(widths) - shown.width)
    needed = max(cell_len(names[widest]), *(longest_piece(row[widest]) for row in table), 1)
    if rows and room >= needed and widths[widest] <= _LINES * room:
        widths[widest] = room
        shown.print(_table(names, table, widths))
    else:
        _print_blocks(names, cells, shown)


def _format_cell(cell: Any) -> str:
    if isinstance(cell, float):
        return f"{cell:.0f}" if _WIDE <= abs(cell) < _WIDE**2 else f"{cell:.6g}"
    # What models wrote is text, whatever it does to a terminal or looks like to a library.
    return "" if cell is None else printable(str(cell))


def _cut(cell: str) -> str:
    return f"{cell[:KEY_SHOWN]}…" if _DIGEST.fullmatch(cell) else cell


def _widths(names: Sequence[str], cells: Sequence[Sequence[str]]) -> list[int]:
    """Of each column, with the widest line of its cells."""
    return [
        max(cell_len(line) for cell in column for line in cell.split("\n"))
        for column in zip(names, *cells, strict=True)
    ]


def _total(widths: Sequence[int]) -> int:
    """With a blank on both sides of each column and a line beside it."""
    return sum(widths) + 3 * len(widths) + 1


def _table(names: Sequence[str], cells: Sequence[Sequence[str]], widths: Sequence[int]) -> Table:
    table = Table()
    for name, width in zip(names, widths, strict=True):
        table.add_column(Text(name), width=width, overflow="fold")
    for row in cells:
        table.add_row(*map(Breakable, row))
    return table


def _print_blocks(names: Sequence[str], cells: Sequence[Sequence[str]], shown: "Console") -> None:
    if not cells:
        shown.print(Text(f"no rows; columns: {', '.join(names)}"))
    for number, row in enumerate(cells, 1):
        block = Table.grid(padding=(0, 2, 0, 0))
        block.add_column(style="dim", overflow="fold", max_width=shown.width // 3)
        block.add_column(overflow="fold")
        for name, cell in zip(names, row, strict=True):
            block.add_row(Text(name), Breakable(cell))
        shown.print(Text(f"row {number}", "bold"), block, "")
