"""Axes and their options."""

import random

import pytest

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.axis import Axis, FreshValue, Option

SIZE = Axis(
    "size", (Option("one", 1), Option("drawn", FreshValue(lambda _, before: before["n"] + 1)))
)


def test_a_value_is_given_or_drawn_from_what_was_chosen_before() -> None:
    assert SIZE.option("one").draw_value(random.Random(0), {}) == 1
    assert SIZE.option("drawn").draw_value(random.Random(0), {"n": 4}) == 5


def test_an_unknown_option_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="axis size has no option 'two'; it has one, drawn"):
        SIZE.option("two")


def test_options_need_names_of_their_own_and_an_ordinary_first_one() -> None:
    with pytest.raises(ValueError, match="names of their own"):
        Axis("size", (Option("one"), Option("one")))
    with pytest.raises(ValueError, match="the first option must be an ordinary one"):
        Axis("size", (Option("large", 9, frozenset({Scope.SCALE})),))
