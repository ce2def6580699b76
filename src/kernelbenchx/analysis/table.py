"""A table with its definition: as text, as JSON and as CSV."""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Value = str | int | float | bool | None


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column: its key in JSON and CSV, and how people see it."""

    key: str
    title: str
    form: str = "text"
    """`text`, `count`, `number`, `percent`, `ratio` (of times), `seconds`."""
    aside: bool = False
    """People see it only where there is room."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows under columns, with a definition; a cell is None where nothing is known."""

    name: str
    """Unique within an analysis; the name of its CSV file."""
    title: str
    about: str
    """Definition and limits in one or two sentences."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = field(default=())
    glance: tuple[int, ...] = field(default=())
    """Places of the rows that people see first, where these are enough; JSON and CSV have all."""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"{self.name}: a row has not one cell per column")

    def records(self) -> list[dict[str, Value]]:
        """Rows by the keys of the columns."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, map(_plain, row), strict=True)) for row in self.rows]

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "about": self.about,
            "columns": [
                {"key": one.key, "title": one.title, "form": one.form} for one in self.columns
            ],
            "rows": self.records(),
            "notes": list(self.notes),
        }

    def to_csv(self) -> str:
        """With a header of keys."""
        target = io.StringIO()
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow([column.key for column in self.columns])
        for row in self.rows:
            writer.writerow(["" if value is None else _plain(value) for value in row])
        return target.getvalue()


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A number and where it may well lie."""

    value: float
    low: float
    high: float
    n: int


def _plain(value: Value) -> Value:
    """JSON knows no infinities."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


NEAR_ONE = (0.9, 1.1)
"""Ratios between these are said in thousandths: verdicts are about one percent."""


def near_one(*ratios: Value) -> bool:
    """Whether any of a ratio and its ends is so near to 1 that hundredths hide a verdict."""
    return any(isinstance(one, float | int) and NEAR_ONE[0] <= one <= NEAR_ONE[1] for one in ratios)


def format_value(value: Value, form: str, beside: Sequence[Value] = ()) -> str:
    """A cell for people, as exact as those that belong to it."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) or form == "text":
        return str(value)
    if form == "percent":
        return f"{100 * value:z.1f} %"
    if form == "ratio":
        return f"{value:.{3 if near_one(value, *beside) else 2}f}x"
    if form == "seconds":
        return f"{value:.2f} s"
    return _number(value) if form == "number" else f"{value:,.0f}"


def _number(value: float) -> str:
    """Three or four digits; an exponent only where there would be four zeros."""
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    if size >= 1 or not size:
        return f"{value:.4g}"
    return f"{value:.3g}" if size >= 1e-4 else f"{value:.1e}"


def columns(*given: tuple[str, str] | tuple[str, str, str]) -> tuple[Column, ...]:
    """Short for several columns: key, title and, unless it is text, form."""
    return tuple(
        Column(key=one[0], title=one[1], form=one[2] if len(one) > 2 else "text") for one in given
    )


def aside(given: Sequence[Column]) -> tuple[Column, ...]:
    """The same columns, for where there is room."""
    return tuple(replace(one, aside=True) for one in given)
