import io
from collections.abc import Sequence
from typing import Any

import pytest
from rich.console import Console

from kernelbenchx.cli.query_table import print_rows

KEY = "0123456789abcdef" * 4
CASE = "shape=(8,16,512,512),to=(512,512),dtype=float16,padding_mode=border"


def _printed(columns: Sequence[str], *rows: Sequence[Any], width: int = 80) -> list[str]:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    print_rows(columns, rows, console)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    return lines


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("│").split("│")]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1.0008371017208157, "1.00084"),
        (1234567.8, "1234568"),
        (1e20, "1e+20"),
        (3.0, "3"),
        (2657899906002796117, "2657899906002796117"),
        ("1.0008371017208157", "1.0008371017208157"),
        (None, ""),
        ("[/bold]\x1b[2J", "[/bold] [2J"),
    ],
)
def test_only_numbers_with_a_point_are_shortened(value: Any, said: str) -> None:
    assert _cells(_printed(["x"], [value])[3]) == [said]


def test_keys_are_cut_only_where_room_is_short_and_never_broken() -> None:
    rows = ["key", "submission", "speedup"], [KEY, "relu__fast", 1.25]
    assert _cells(_printed(*rows, width=100)[3]) == [KEY, "relu__fast", "1.25"]
    assert _cells(_printed(*rows, width=80)[3]) == ["0123456789…", "relu__fast", "1.25"]
    other = _printed(["key"], ["x" * 64], width=40)
    assert "".join(other).count("x") == 64


def test_one_long_column_gives_and_its_names_break_between_parameters() -> None:
    lines = _printed(["submission", "case_name", "speedup"], ["grid_sample", CASE, 1.5])
    assert lines[1].startswith("┃ submission ")
    assert [_cells(line)[1] for line in lines[3:5]] == [CASE[:48], CASE[48:]]


def test_what_does_not_fit_is_a_block_of_lines_for_each_row() -> None:
    columns = [
        "run",
        "key",
        "case_name",
        "candidate_us",
        "baseline_us",
        "speedup_low",
        "speed_class",
    ]
    row = ["runs/demo", KEY, CASE, 186.18399, 186.176, 0.99627, "tie"]
    lines = _printed(columns, row, row)
    assert [line for line in lines if line.startswith("row ")] == ["row 1", "row 2"]
    assert lines[1].split() == ["run", "runs/demo"]
    assert lines[2].split() == ["key", KEY]
    assert lines[5].split() == ["candidate_us", "186.184"]
    assert _printed(columns, row, width=220)[1].startswith("┃ run ")


def test_long_text_is_a_block_and_whole() -> None:
    lines = _printed(["submission", "reply"], ["one", "x" * 500])
    assert lines[0] == "row 1" and "".join(lines).count("x") == 500
    lines = _printed(["submission", "reply"], ["one", "word " * 200])
    assert lines[0] == "row 1" and " ".join(lines).count("word") == 200


def test_where_there_are_no_rows_the_columns_are_named() -> None:
    assert _printed(["n"])[1] == "┃ n ┃"
    many = [f"column_{n}" for n in range(12)]
    assert " ".join(_printed(many)).startswith("no rows; columns: column_0, column_1,")
