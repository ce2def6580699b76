"""Shared axes: what they draw, what they ask about, and which choices go together."""

import random

import pytest
import torch

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec import Draw, Normal
from kernelbenchx.spec.families import axes
from kernelbenchx.spec.space import OMITTED, Axis, Option, Space


def test_a_drawn_shape_keeps_to_its_ranges_and_lists() -> None:
    shape = axes.draw_shape(2, (5, 9), [16, 64])
    found = {shape.draw(random.Random(seed), {}) for seed in range(50)}
    assert {one[0] for one in found} == {2}
    assert {one[1] for one in found} == {5, 6, 7, 8}
    assert {one[2] for one in found} == {16, 64}


def test_values_other_than_ordinary_ask_about_values() -> None:
    ordinary, special = axes.values(("special",)).options
    assert not ordinary.needs and special.needs == {Scope.VALUES}


def test_an_option_may_ask_for_more_calls_of_its_case() -> None:
    often = Axis("p", (Option("usual", 0.5), Option("rare", 0.001, calls=6)))
    space = Space((often,), corners=({}, {"p": "rare"}))
    assert [case.calls for case in space.cases(0)[:2]] == [1, 6]


@pytest.mark.parametrize("seed", range(5))
def test_a_shape_has_the_dimensions_that_its_name_stands_for(seed: int) -> None:
    for option in axes.shapes().options:
        shape = option.draw_value(random.Random(seed), {})
        if axes.is_flat({"shape": option.name}):
            assert torch.Size(shape).numel() <= 1
            assert axes.dims_of({"shape": option.name}) == 0
        else:
            assert len(shape) == axes.dims_of({"shape": option.name})


def test_a_layout_fits_where_there_are_dimensions_for_it_and_nowhere_else() -> None:
    assert axes.fits("contiguous", 0)
    assert axes.fits("strided", 1) and not axes.fits("strided", 0)
    for layout in ("transposed", axes.PADDED):
        assert axes.fits(layout, 2) and not axes.fits(layout, 1)


def test_what_need_not_be_given_is_left_out_first() -> None:
    for axis in (axes.outs(), axes.optional("bias"), axes.other_dtypes("to", (torch.float64,))):
        first, *others = axis.options
        assert first.value is OMITTED and not first.needs
        assert all(one.value is not OMITTED for one in others)


def test_main_dtypes_are_core_and_others_are_not() -> None:
    narrow, wide = axes.dtypes((torch.float16,), (torch.float64,)).options
    assert (narrow.name, narrow.value, set(narrow.needs)) == ("float16", torch.float16, set())
    assert (wide.name, wide.value, set(wide.needs)) == ("float64", torch.float64, {Scope.DTYPE})


def test_an_argument_is_core_and_none_stands_for_not_given() -> None:
    absent, given = axes.argument("mode", not_given=None, yes=True).options
    assert (absent.name, absent.value) == ("not given", OMITTED)
    assert (given.name, given.value, given.needs) == ("yes", True, frozenset())


def test_an_axis_less_some_options_keeps_the_rest() -> None:
    kept = axes.without(axes.layouts(), "offset", "expanded")
    assert [one.name for one in kept.options] == ["contiguous", "transposed", "strided"]


def test_normal_values_hold_planted_ones_only_where_asked() -> None:
    plain = Normal(mean=5.0)(Draw.from_seed(0), (400,), torch.float64)
    assert abs(float(plain.mean()) - 5.0) < 0.3 and not plain.isnan().any()
    assert not torch.equal(plain.float().double(), plain)
    assert Normal(planted=(float("nan"),))(Draw.from_seed(0), (400,), torch.float16).isnan().any()


def test_some_options_of_an_axis_may_be_marked_trivial() -> None:
    some = axes.argument("alpha", not_given=None, zero=0, half=0.5)
    assert not any(one.trivial for one in some.options)
    marked = axes.trivial(some, "zero")
    assert [one.name for one in marked.options if one.trivial] == ["zero"]
