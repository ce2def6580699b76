"""Tables for people, JSON and CSV."""

import csv
import io
import json
import math

import pytest

from kernelbenchx.analysis.table import Table, columns, format_value

COLUMNS = columns(("method", "method"), ("rate", "rate", "percent"), ("n", "n", "count"))
TABLE = Table(
    name="rates", title="Rates", about="Share of tasks.", columns=COLUMNS,
    rows=(("one, two", 0.5, 4), ("three", None, 0)), notes=("small",),
)  # fmt: skip


def test_json_holds_every_cell_by_its_key() -> None:
    found = json.loads(json.dumps(TABLE.to_plain()))
    assert found["rows"] == [
        {"method": "one, two", "rate": 0.5, "n": 4},
        {"method": "three", "rate": None, "n": 0},
    ]
    assert found["columns"][1] == {"key": "rate", "title": "rate", "form": "percent"}
    assert found["notes"] == ["small"]


def test_csv_is_read_back_by_a_reader() -> None:
    found = list(csv.DictReader(io.StringIO(TABLE.to_csv())))
    assert found[0] == {"method": "one, two", "rate": "0.5", "n": "4"}
    assert found[1]["rate"] == ""


def test_what_json_cannot_say_is_nothing() -> None:
    odd = Table(name="x", title="", about="", columns=COLUMNS, rows=(("a", math.inf, 1),))
    assert odd.records()[0]["rate"] is None


def test_a_row_of_another_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="one cell per column"):
        Table(name="x", title="", about="", columns=COLUMNS, rows=(("a", 1.0),))


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (0.5, "percent", "50.0 %"),
        (-0.0001, "percent", "0.0 %"),
        (1.256, "ratio", "1.26x"),
        (1234567, "count", "1,234,567"),
        (0.000123456, "number", "0.000123"),
        (-0.0000123456, "number", "-1.2e-05"),
        (4.88134, "number", "4.881"),
        (69.0612, "number", "69.06"),
        (12345.6, "number", "12,346"),
        (0.0, "number", "0"),
        (1.5, "seconds", "1.50 s"),
        (None, "count", "-"),
        (math.nan, "number", "-"),
        ("word", "percent", "word"),
        (True, "count", "yes"),
        (False, "text", "no"),
    ],
)
def test_cells_for_people(value: object, form: str, text: str) -> None:
    assert format_value(value, form) == text  # type: ignore[arg-type]


def test_near_one_a_ratio_and_what_belongs_to_it_are_in_thousandths() -> None:
    assert (format_value(1.0121, "ratio"), format_value(0.8999, "ratio")) == ("1.012x", "0.90x")
    assert format_value(1.256, "ratio", (1.0949, None)) == "1.256x"
    assert format_value(1.256, "ratio", (1.11, 2.0, None, math.nan)) == "1.26x"
    assert format_value(0.5, "percent", (1.0,)) == "50.0 %"
