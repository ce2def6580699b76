"""The change of a mean, in parts that add up."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelbenchx.analysis.decomposition import PARTS, decompose

NAN = math.nan


def _array(*values: float) -> np.ndarray:
    return np.array(values, float)


def test_nobody_slowed_down_but_slow_ones_came_in() -> None:
    before, after = _array(1.6, 1.4, NAN), _array(1.6, 1.4, 0.6)
    found = decompose(before, after, np.arange(3), np.array([True, True, False]))
    assert (found.kept, found.same_code, found.entered, found.left) == (2, 2, 1, 0)
    assert (found.before, found.after) == pytest.approx((1.5, 1.2))
    values = {name: part.value for name, part in found.parts.items()}
    assert values == pytest.approx(
        {"change": -0.3, "real": 0, "rewritten": 0, "remeasured": 0, "members": -0.3,
         "entering": -0.3, "leaving": 0}
    )  # fmt: skip


def test_everybody_slowed_down_and_nobody_came_in() -> None:
    found = decompose(_array(2.0, 1.0), _array(1.5, 0.5), np.arange(2), np.array([False, True]))
    values = {name: part.value for name, part in found.parts.items()}
    assert (values["real"], values["members"]) == (-0.5, 0.0)
    assert (values["rewritten"], values["remeasured"]) == (-0.25, -0.25)


def test_who_leaves_changes_the_mean_too() -> None:
    found = decompose(_array(1.0, 3.0), _array(1.0, NAN), np.arange(2), np.zeros(2, bool))
    values = {name: part.value for name, part in found.parts.items()}
    assert (found.left, values["leaving"], values["entering"], values["real"]) == (1, -1.0, 0, 0)


VALUE = st.one_of(st.just(NAN), st.floats(-3, 3))


@given(st.lists(st.tuples(VALUE, VALUE, st.booleans(), st.integers(0, 4)), min_size=1, max_size=30))
def test_the_parts_add_up_exactly(rows: list[tuple[float, float, bool, int]]) -> None:
    before, after, same, tasks = (np.array(column) for column in zip(*rows, strict=True))
    found = decompose(before, after, tasks, same.astype(bool))
    if not found.kept:
        assert found.parts == {}
        return
    assert set(found.parts) == set(PARTS)
    value = {name: part.value for name, part in found.parts.items()}
    exact = pytest.approx(found.after - found.before, abs=1e-12)
    assert value["change"] == exact
    assert value["real"] + value["entering"] + value["leaving"] == exact
    assert value["real"] + value["members"] == exact
    assert value["rewritten"] + value["remeasured"] == pytest.approx(value["real"], abs=1e-12)
    plain = np.nanmean(after) - np.nanmean(before)
    assert value["change"] == pytest.approx(plain, abs=1e-12)


def test_the_real_part_has_students_interval_where_nobody_comes_or_goes() -> None:
    before, after = _array(1, 2, 3, 4), _array(1.5, 2.0, 3.9, 4.1)
    found = decompose(before, after, np.arange(4), np.zeros(4, bool)).parts["real"]
    apart = after - before
    width = 3.182446 * apart.std(ddof=1) / 2
    assert (found.low, found.high) == pytest.approx((apart.mean() - width, apart.mean() + width))
    assert found.n == 4


def test_lines_of_one_task_are_one_draw() -> None:
    before, after = np.zeros(20), np.tile([0.0, 1.0], 10)
    alone = decompose(before, after, np.arange(20), np.zeros(20, bool)).parts["real"]
    shared = decompose(before, np.sort(after), np.arange(20) // 10, np.zeros(20, bool)).parts[
        "real"
    ]
    assert alone.value == shared.value == 0.5
    assert shared.high - shared.low > 3 * (alone.high - alone.low)


def test_one_task_gives_parts_without_ends_and_nothing_in_common_gives_none() -> None:
    one = decompose(_array(1.0), _array(2.0), np.zeros(1, int), np.zeros(1, bool))
    assert one.parts["change"].value == 1.0 and math.isnan(one.parts["change"].low)
    none = decompose(_array(1.0, NAN), _array(NAN, 2.0), np.arange(2), np.zeros(2, bool))
    assert none.parts == {} and (none.before, none.after) == (1.0, 2.0)
    empty = decompose(_array(NAN), _array(NAN), np.zeros(1, int), np.zeros(1, bool))
    assert empty.parts == {} and math.isnan(empty.before)
