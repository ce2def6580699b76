"""Dimensions that go with a shape."""

import random

import pytest

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.families.dimensions import ONE, SEVERAL, dims, fits, shapes
from kernelbenchx.spec.space import OMITTED

WORDS = (*ONE, *SEVERAL, "none")


@pytest.mark.parametrize("seed", range(20))
def test_a_dimension_that_fits_exists_and_no_other_is_named_twice(seed: int) -> None:
    chance = random.Random(seed)
    for shape in shapes().options:
        size = shape.draw_value(chance, {})
        for dim in dims(WORDS).options:
            if not fits(shape.name, dim.name):
                continue
            value = dim.draw_value(chance, {"shape": size})
            listed = value if isinstance(value, tuple) else () if value is None else (value,)
            rank = max(len(size), 1)
            assert all(-rank <= one < rank for one in listed)
            assert len({one % rank for one in listed}) == len(listed)


def test_a_long_slice_is_reduced_and_never_as_many_slices_as_elements() -> None:
    assert fits("long rows", "last")
    assert not fits("long rows", "first")
    assert fits("long columns", "first from the end")
    assert not fits("long columns", "last")
    assert all(fits("four dimensions", word) for word in WORDS)


def test_two_dimensions_count_from_both_ends() -> None:
    two = dims(("two",)).options[0].draw_value(random.Random(0), {"shape": (3, 4, 5)})
    assert sorted(one < 0 for one in two) == [False, True]


def test_what_is_not_given_is_left_out() -> None:
    assert dims(("last", "not given")).options[1].value is OMITTED


def test_slices_are_empty_only_where_they_may_be() -> None:
    with_empty = {option.name for option in shapes().options}
    assert with_empty - {option.name for option in shapes(False).options} == {"nothing to reduce"}


def test_shapes_ask_about_scale_and_degenerate_ones() -> None:
    needs = {option.name: set(option.needs) for option in shapes().options}
    assert needs["rows"] == needs["wide rows"] == set()
    assert needs["long rows"] == {Scope.SCALE}
    assert needs["0-d"] == needs["no slices"] == {Scope.DEGENERATE}
