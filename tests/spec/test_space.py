"""A space of calls: what one seed draws from it, and what several draw together."""

import random
from collections import Counter
from collections.abc import Mapping

import pytest

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.space import (
    BASIC_CALLS,
    OMITTED,
    OWN_CALLS,
    PARTS,
    Axis,
    FreshValue,
    Option,
    Space,
    find_uncovered_pairs,
    pairs,
)

LAYOUT, VALUES = frozenset({Scope.LAYOUT}), frozenset({Scope.VALUES})
SIZE = Axis(
    "size",
    (
        Option("ordinary", FreshValue(lambda chance, _: chance.randrange(100, 200))),
        Option("block", 1024),
        Option("none", 0, frozenset({Scope.DEGENERATE})),
    ),
)
WAY = Axis("layout", (Option("contiguous"), Option("strided", "strided", LAYOUT)))
SPECIAL = Axis("values", (Option("ordinary", OMITTED), Option("nan", "nan", VALUES)))


def _valid(chosen: Mapping[str, str]) -> bool:
    return not (chosen["size"] == "none" and chosen["values"] == "nan")


SPACE = Space((SIZE, WAY, SPECIAL), valid=_valid, corners=({}, {"size": "none"}), calls=12)


def test_the_same_seed_draws_the_same_calls_and_another_seed_others() -> None:
    assert SPACE.cases(7) == SPACE.cases(7)
    assert [case.name for case in SPACE.cases(7)] != [case.name for case in SPACE.cases(12)]


def test_corners_come_first_and_are_the_same_for_every_seed() -> None:
    for seed in range(6):
        first, second, *drawn = SPACE.cases(seed)
        assert first.corner and first.options["size"] == "ordinary"
        assert second.corner and second.params == {"size": 0, "layout": None}
        assert not any(case.corner for case in drawn)
    assert SPACE.cases(1)[0] == SPACE.cases(2)[0]


def test_every_scope_has_cases_of_its_own() -> None:
    for seed in range(10):
        alone = Counter(tuple(case.needs or ()) for case in SPACE.cases(seed))
        for scope in (Scope.LAYOUT, Scope.VALUES):
            assert alone[(scope,)] >= OWN_CALLS - 1  # two draws may give the same call


def test_a_case_asks_for_what_its_options_ask_for() -> None:
    for case in SPACE.cases(3):
        options = {axis.name: axis.option(case.options[axis.name]) for axis in SPACE.axes}
        assert case.needs == frozenset().union(*(one.needs for one in options.values()))
        assert ("values" in case.params) == (case.options["values"] == "nan")


def test_invalid_calls_are_never_drawn() -> None:
    drawn = [case.options for seed in range(20) for case in SPACE.cases(seed)]
    assert all(_valid(dict(options)) for options in drawn)
    impossible = (("size", "none"), ("values", "nan"))
    assert impossible not in SPACE.possible_pairs()
    assert (("size", "none"), ("layout", "strided")) in SPACE.possible_pairs()


def test_five_seeds_call_every_possible_pair_and_one_seed_does_not() -> None:
    wide = Space(
        tuple(Axis(name, tuple(Option(str(n), n) for n in range(6))) for name in "abcde"), calls=20
    )
    assert find_uncovered_pairs(wide, range(40, 40 + PARTS)) == ()
    assert find_uncovered_pairs(wide, (40,))


def test_one_call_of_a_run_is_large_and_those_after_it_are_smaller() -> None:
    few = FreshValue(lambda chance, _: chance.randrange(10, 20))
    large = Option("large", 9000, frozenset({Scope.SCALE}), after=few)
    axes = (Axis("size", (*SIZE.options, large)), WAY)
    for seed in range(4):
        found = [case.params["size"] for case in _large(Space(axes), seed)]
        assert found[0] == 9000 and len(found) > OWN_CALLS
        assert all(size < 20 for size in found[1:])
        fixed, *others = _large(Space(axes, corners=({"size": "large"},)), seed)
        assert fixed.corner and fixed.params["size"] == 9000
        assert all(case.params["size"] < 20 for case in others)


DTYPE = Axis("dtype", (Option("float32", 32), Option("float16", 16)))


def test_a_run_has_six_core_calls_in_the_first_dtype_and_none_that_is_trivial() -> None:
    trivial = Axis("alpha", (Option("one", 1), Option("zero", 0, trivial=True)))
    space = Space((SIZE, DTYPE, trivial, WAY), spans_tiles=lambda params: params["size"] > 150)
    for seed in range(5):
        basic = [case for case in space.cases(seed) if space.is_basic(case)]
        assert len(basic) >= BASIC_CALLS
        for case in basic:
            assert case.params["dtype"] == 32 and case.params["alpha"] == 1
            assert case.params["size"] > 150 and not case.needs


def test_a_size_that_never_spans_tiles_adds_no_call() -> None:
    axes = (SIZE, DTYPE, WAY)
    plain, more = Space(axes, spans_tiles=lambda _: False), Space(axes)
    assert plain.cases(2) == more.cases(2)[: len(plain.cases(2))]
    assert not any(map(plain.is_basic, plain.cases(2)))


NARROW = Axis("dtype", tuple(Option(one, one) for one in ("float32", "float16", "bfloat16")))
SCALES = Axis("alpha", (Option("one", 1), Option("three", 3), Option("half", 0.5)))


def test_every_run_calls_each_number_that_16_bits_round_in_each_16_bit_dtype() -> None:
    space = Space((SIZE, NARROW, SCALES, WAY))
    for seed in range(5):
        found = {(one.options["dtype"], one.options["alpha"]) for one in _plain(space, seed)}
        assert {("float16", "three"), ("bfloat16", "three")} <= found
    whole = Axis("alpha", (Option("one", 1), Option("three", 3)))
    counts = Space((SIZE, NARROW, whole, WAY))
    dtypes = [{one.options["dtype"] for one in _plain(counts, seed)} for seed in range(5)]
    assert not all({"float16", "bfloat16"} <= one for one in dtypes)


def _plain(space: Space, seed: int) -> list[Case]:
    """Calls with a number that is rounded in 16 bits, and nothing else that is special."""
    return [
        one
        for one in space.cases(seed)
        if one.options["alpha"] == "three" and one.options["size"] == "ordinary" and not one.needs
    ]


def test_every_run_calls_every_option() -> None:
    many = Axis("mode", tuple(Option(str(n), n) for n in range(40)))
    space = Space((SIZE, many, WAY), calls=8)
    for seed in range(3):
        assert {one.options["mode"] for one in space.cases(seed)} == set(map(str, range(40)))


def test_every_run_calls_every_core_option_in_the_first_dtype() -> None:
    many = Axis("mode", tuple(Option(str(n), n) for n in range(12)))
    space = Space((NARROW, many, WAY, SPECIAL), calls=8)
    for seed in range(3):
        core = [one for one in space.cases(seed) if not one.needs]
        for dtype, every in (("float32", True), ("bfloat16", False)):
            modes = {one.options["mode"] for one in core if one.options["dtype"] == dtype}
            assert (len(modes) == 12) is every


def test_plain_calls_have_every_size_and_the_first_option_of_all_else() -> None:
    size = Axis("shape", (*SIZE.options, Option("large", 9000, frozenset({Scope.SCALE}))))
    found = Space((size, NARROW, SCALES, WAY)).plain_cases(random.Random(1), "float16")
    assert [one.options["shape"] for one in found] == ["ordinary", "block", "large"]
    rest = {"dtype": "float16", "alpha": "one", "layout": "contiguous"}
    assert all(one.options.items() >= rest.items() for one in found)


def _large(space: Space, seed: int) -> list[Case]:
    return [case for case in space.cases(seed) if case.options["size"] == "large"]


def test_pairs_are_named_in_the_order_of_the_axes() -> None:
    assert pairs({"a": "1", "b": "2"}) == {(("a", "1"), ("b", "2"))}


def test_a_space_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="not a valid call"):
        Space((SIZE, WAY, SPECIAL), valid=_valid, corners=({"size": "none", "values": "nan"},))
    with pytest.raises(ValueError, match="no axis is called"):
        Space((SIZE,), corners=({"colour": "red"},))
    with pytest.raises(ValueError, match="has no option 'huge'"):
        Space((SIZE,), corners=({"size": "huge"},))
    with pytest.raises(ValueError, match="names of their own"):
        Axis("a", (Option("x"), Option("x")))
    with pytest.raises(ValueError, match="first option must be an ordinary one"):
        Axis("a", (Option("x", 1, LAYOUT),))
