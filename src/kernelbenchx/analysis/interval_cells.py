"""Intervals as cells of a table: a value and its two ends, three columns side by side."""

from kernelbenchx.analysis.intervals import Intervals
from kernelbenchx.analysis.table import Column, Interval, Value


def interval(key: str, title: str, form: str) -> tuple[Column, Column, Column]:
    """The columns of a value and its ends: `key`, `key_low`, `key_high`."""
    return (
        Column(key=key, title=title, form=form),
        Column(key=f"{key}_low", title="low", form=form),
        Column(key=f"{key}_high", title="high", form=form),
    )


def ends(found: Intervals, row: int) -> tuple[Value, Value, Value]:
    """Value, low and high of a row; empty cells where no data exists."""
    return ends_of(found.at(row))


def ends_of(one: Interval) -> tuple[Value, Value, Value]:
    """The same of one interval."""
    return (one.value, one.low, one.high) if one.n else (None, None, None)
