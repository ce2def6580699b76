import math

import pytest
import torch

from kernelbenchx.spec.element_comparison import (
    format_element,
    multiples,
    signed_zeros,
    unravel,
    verdict,
)

INF, NAN = math.inf, math.nan


def _ratio(
    got: float, truth: float, dtype: torch.dtype = torch.float32, budget: float = 1.0
) -> float:
    mine = torch.tensor([got], dtype=torch.float64).to(dtype)
    return float(
        multiples(mine, torch.tensor([truth], dtype=torch.float64), torch.tensor([budget]))
    )


@pytest.mark.parametrize("value", (NAN, INF, -INF))
def test_the_same_kind_in_the_same_place_is_right(value: float) -> None:
    assert _ratio(value, value) == 0.0


@pytest.mark.parametrize(
    ("got", "truth"),
    ((NAN, 1.0), (1.0, NAN), (INF, -INF), (NAN, INF), (INF, NAN), (1.0, INF), (-INF, 1.0)),
)
def test_another_kind_is_infinitely_wrong(got: float, truth: float) -> None:
    assert _ratio(got, truth) == INF


def test_the_error_is_a_multiple_of_the_budget() -> None:
    assert _ratio(3.0, 1.0, budget=0.5) == 4.0


def test_no_error_is_right_even_without_a_budget() -> None:
    assert _ratio(3.0, 3.0, budget=0.0) == 0.0
    assert _ratio(3.0, 2.0, budget=0.0) == INF


@pytest.mark.parametrize("got", (65504.0, INF))
def test_at_the_overflow_edge_the_largest_number_and_infinity_are_both_right(got: float) -> None:
    assert _ratio(got, 65521.0, torch.float16, budget=32.0) <= 1.0
    assert _ratio(got, 65515.0, torch.float16, budget=32.0) <= 1.0


def test_away_from_the_edge_only_one_of_them_is() -> None:
    assert _ratio(INF, 65000.0, torch.float16, budget=32.0) > 1.0
    assert _ratio(65504.0, 70000.0, torch.float16, budget=32.0) > 1.0
    assert _ratio(INF, 70000.0, torch.float16, budget=32.0) == 0.0
    assert _ratio(-INF, 70000.0, torch.float16, budget=32.0) == INF


def test_complex_errors_count_by_their_modulus() -> None:
    got = torch.tensor([3 + 4j], dtype=torch.complex64)
    truth = torch.tensor([0j], dtype=torch.complex128)
    assert float(multiples(got, truth, torch.tensor([5.0]))) == 1.0


def test_complex_kinds_are_compared_part_by_part() -> None:
    truth = torch.tensor([complex(INF, NAN), complex(INF, 1.0)])
    budget = torch.ones(2)
    assert multiples(truth.clone(), truth, budget).tolist() == [0.0, 0.0]
    swapped = torch.tensor([complex(NAN, INF), complex(INF, -INF)])
    assert multiples(swapped, truth, budget).tolist() == [INF, INF]


def test_conjugate_views_are_read_like_any_tensor() -> None:
    value = torch.tensor([1 + 2j], dtype=torch.complex64)
    assert float(multiples(value.conj(), value.to(torch.complex128).conj(), torch.ones(1))) == 0.0


@pytest.mark.parametrize("dtype", (torch.int32, torch.int64, torch.uint8, torch.bool))
def test_integers_and_bools_are_exact(dtype: torch.dtype) -> None:
    truth = torch.tensor([0, 1, 1]).to(dtype)
    got = torch.tensor([0, 1, 0]).to(dtype)
    assert multiples(got, truth, torch.full((3,), 1e9)).tolist() == [0.0, 0.0, INF]


def test_large_integers_are_not_compared_as_floats() -> None:
    truth = torch.tensor([2**53])
    assert float(multiples(truth + 1, truth, torch.zeros(1))) == INF


def test_signed_zeros_tells_minus_zero_from_zero() -> None:
    got = torch.tensor([-0.0, 0.0, -0.0, -1.0])
    truth = torch.tensor([0.0, 0.0, -0.0, 1.0])
    assert signed_zeros(got, truth).tolist() == [INF, 0.0, 0.0, 0.0]


def test_the_verdict_names_the_worst_element_of_the_worst_output() -> None:
    first, second = torch.zeros(3), torch.tensor([[0.0, 0.5], [7.0, 2.0]])
    found = verdict([first, second], [first, second + 1], [first, torch.ones(2, 2)], " (note)")
    assert (found.ok, found.worst, found.output, found.index) == (False, 7.0, 1, (1, 0))
    assert (found.expected, found.got) == ("1", "8")
    assert found.detail.startswith("2 of 4 elements") and found.detail.endswith("(note)")
    assert found.bad is not None and found.bad.tolist() == [[False, False], [True, True]]


def test_nothing_over_one_is_right_and_so_is_nothing_at_all() -> None:
    assert verdict([torch.ones(2)], [torch.ones(2)], [torch.ones(2)]).ok
    assert verdict([torch.empty(0)], [torch.empty(0)], [torch.empty(0)]).ok


def test_unravel_and_shown() -> None:
    assert unravel(5, (2, 3)) == (1, 2)
    assert unravel(0, ()) == ()
    assert format_element(torch.tensor(1 / 3), torch.float32) == "0.333333343"
    assert format_element(torch.tensor(True), torch.bool) == "True"
    third = torch.tensor(1 / 3, dtype=torch.float64)
    for dtype, said in (
        (torch.float64, "0.33333333333333331"),
        (torch.float16, "0.33333"),
        (torch.bfloat16, "0.3333"),
        (torch.complex64, "0.333333333"),
    ):
        assert format_element(third, dtype) == said


def test_finite_elements_take_a_short_way_to_the_same_multiples() -> None:
    generator = torch.Generator().manual_seed(3)
    odd = torch.tensor([INF, -INF, float("nan"), 0.0, -0.0, 65504.0, -65504.0])
    pairs = torch.cartesian_prod(odd, odd).T
    plain = torch.randn(2, 500, generator=generator)
    mine, true = torch.cat([pairs, plain], 1).unbind()
    budget = torch.full_like(true, 1e-3, dtype=torch.float64)
    budget[::7] = 0.0
    for dtype in (torch.float16, torch.float32, torch.float64):
        short = multiples(mine.to(dtype), true.double(), budget)
        each = [
            multiples(m, t, b)  # a number without dimensions takes the long way
            for m, t, b in zip(mine.to(dtype), true.double(), budget, strict=True)
        ]
        assert torch.equal(short, torch.stack(each))
        assert short.isinf().any() and (short == 0).any()
