"""Three columns and three cells for an interval."""

from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import shares


def test_a_value_and_its_ends_stand_side_by_side() -> None:
    found = interval("rate", "rate", "percent")
    assert [one.key for one in found] == ["rate", "rate_low", "rate_high"]
    assert {one.form for one in found} == {"percent"}


def test_where_nothing_was_asked_nothing_is_said() -> None:
    found = shares([1, 0], [0, 1], [1, 1], 2)
    assert ends(found, 0) == (None, None, None)
    value, low, high = ends(found, 1)
    assert value == 0.5
    assert low is not None and high is not None
