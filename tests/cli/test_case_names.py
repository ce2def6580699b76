import io

import pytest
from rich.console import Console
from rich.table import Table

from kernelbenchx.cli.case_names import Breakable, break_line, longest_piece

NAME = "shape=(8,16,512),dtype=float16,padding_mode=border"


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (60, [NAME]),
        (40, ["shape=(8,16,512),dtype=float16,", "padding_mode=border"]),
        (20, ["shape=(8,16,512),", "dtype=float16,", "padding_mode=border"]),
        (5, ["shape=(8,16,512),", "dtype=float16,", "padding_mode=border"]),
    ],
)
def test_a_new_line_begins_with_a_parameter(width: int, lines: list[str]) -> None:
    assert break_line(NAME, width).split("\n") == lines


def test_what_has_no_parameters_is_left_to_others() -> None:
    assert break_line("one, two and three", 5) == "one, two and three"
    assert break_line("", 5) == ""
    assert (longest_piece(NAME), longest_piece("one three"), longest_piece("")) == (19, 5, 0)


def _printed(text: str, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    table = Table.grid()
    table.add_column(overflow="fold")
    table.add_row(Breakable(text))
    console.print(table)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_in_a_table_it_takes_the_room_that_there_is() -> None:
    assert _printed(NAME, 80) == [NAME]
    assert _printed(NAME, 20)[-1] == "padding_mode=border"
    assert _printed("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert _printed("one two\nthree", 9) == ["one two", "three"]
