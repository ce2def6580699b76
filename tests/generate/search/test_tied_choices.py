from kernelbenchx.generate.search.choices import ChoiceKind, ValueSpan
from kernelbenchx.generate.search.tied_choices import WARPS, Spot, together


def _spot(parameter: str, value: int, at: int, kernel: str = "k") -> Spot:
    return Spot(kernel, parameter, value, ValueSpan(at, at + 1))


def test_one_place_for_two_kernels_is_one_choice() -> None:
    (choice,) = together([_spot("A", 8, 5), _spot("B", 8, 5, "other")], [])
    assert choice.name == "k.A,other.B"
    assert choice.places == (ValueSpan(5, 6),)


def test_one_parameter_at_two_launches_is_one_choice_where_it_is_equal() -> None:
    (choice,) = together([_spot("A", 8, 5), _spot("A", 8, 9)], [])
    assert choice.places == (ValueSpan(5, 6), ValueSpan(9, 10))
    names = [one.name for one in together([_spot("A", 8, 5), _spot("A", 16, 9)], [])]
    assert names == ["k.A", "k.A#2"]


def test_a_number_of_the_grid_joins_what_it_may_repeat() -> None:
    spots = [_spot("A", 8, 5), _spot("B", 8, 9), _spot("C", 16, 12), _spot("num_warps", 8, 20)]
    found = {one.name: one for one in together(spots, [("k", ValueSpan(1, 2), 8)])}
    assert set(found) == {"k.A,k.B", "k.C", "k.num_warps"}
    assert ValueSpan(1, 2) in found["k.A,k.B"].places
    assert found["k.num_warps"].values == WARPS
    assert found["k.num_warps"].kind is ChoiceKind.WARPS


def test_a_number_that_repeats_nothing_stays() -> None:
    (choice,) = together(
        [_spot("A", 8, 5)], [("k", ValueSpan(1, 2), 32), ("other", ValueSpan(3, 4), 8)]
    )
    assert choice.places == (ValueSpan(5, 6),)
