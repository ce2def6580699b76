import numpy
import pytest
import torch

from kernelbenchx.spec.quantization_codes import product_slack, symmetric


def test_codes_follow_the_written_formula() -> None:
    x = torch.tensor([[127.0, -63.4, 1.6], [2.0, -4.0, 0.1]])
    codes = symmetric(x, 1, 127, -128)
    assert codes.q.tolist() == [[127, -63, 2], [64, -127, 3]]
    assert codes.scale.flatten().tolist() == [1.0, float(torch.tensor(4.0) / 127)]
    assert codes.q.dtype == torch.int64
    assert torch.equal(codes.values, codes.q * codes.scale)


def test_the_scale_is_float32s_even_for_half_inputs() -> None:
    x = torch.tensor([[1.0, 0.3]], dtype=torch.float16)
    assert float(symmetric(x, 1, 7, -8).scale) == float(torch.tensor(1.0) / 7)


@pytest.mark.parametrize("unit", (1.0, 0.25, 2.0**-20, 2.0**60))
def test_exact_ties_go_to_even_and_are_not_ambiguous(unit: float) -> None:
    near = 1.5 * (1 + 2.0**-23)
    x = unit * torch.tensor([[127.0, 1.5, near, 1.5 + 1e-5, 2.0, -2.5, 0.5, -3.5]])
    codes = symmetric(x, 1, 127, -128)
    assert not bool(codes.ambiguous.any())
    assert codes.q.tolist() == [[127, 2, 2, 2, 2, -2, 0, -4]]


@pytest.mark.parametrize("scale", (3.0, 1.1, 0.7))
def test_inexact_quotients_near_a_tie_are_ambiguous_and_nothing_else(scale: float) -> None:
    step = torch.tensor(scale)
    x = torch.stack((127 * step, 1.5 * step, 1.5 * step * (1 + 2.0**-23), 1.501 * step, 2 * step))
    codes = symmetric(x[None], 1, 127, -128)
    assert codes.ambiguous.tolist() == [[False, True, True, False, False]]


def _stepped(x: torch.Tensor, steps: int) -> torch.Tensor:
    """So many float32 numbers further from zero."""
    return (x.view(torch.int32) + steps).view(torch.float32)


def _codes_by_a_rough_division(x: torch.Tensor, steps: tuple[int, int]) -> torch.Tensor:
    scale = _stepped(x.abs().amax(1, keepdim=True) / 127, steps[0])
    return torch.round(_stepped(x / scale, steps[1])).long()


@pytest.mark.parametrize("steps", [(2, 2), (-2, -2), (2, -2), (-2, 2), (1, 0), (0, 1)])
def test_divisions_that_are_two_units_off_move_ambiguous_codes_only(steps: tuple[int, int]) -> None:
    drawn = torch.Generator().manual_seed(0)
    x = torch.randn(64, 1 << 16, generator=drawn) * torch.logspace(-2, 2, 64)[:, None]
    codes = symmetric(x, 1, 127, -127)
    moved = _codes_by_a_rough_division(x, steps) != codes.q
    assert bool(moved.any()) and not bool((moved & ~codes.ambiguous).any())


def test_divisions_that_are_much_further_off_move_others() -> None:
    x = torch.randn(64, 1 << 16, generator=torch.Generator().manual_seed(0))
    codes = symmetric(x, 1, 127, -127)
    assert float(codes.ambiguous.double().mean()) < 1e-4
    moved = _codes_by_a_rough_division(x, (16, -16)) != codes.q
    assert bool((moved & ~codes.ambiguous).any())


def test_a_slice_of_zeros_has_codes_zero() -> None:
    codes = symmetric(torch.zeros(2, 3), 1, 127, -128)
    assert codes.q.abs().sum() == 0 and codes.scale.abs().sum() == 0
    assert not bool(codes.ambiguous.any())


def _near_a_tie(*codes: float) -> torch.Tensor:
    """With scale 3, by which a kernel need not divide exactly."""
    return 3 * torch.tensor(codes)


def test_the_slack_is_what_ambiguous_codes_can_move() -> None:
    x = symmetric(_near_a_tie(127.0, 1.5)[None], 1, 127, -128)
    w = symmetric(torch.tensor([[127.0], [10.0]]), 0, 127, -128)
    assert product_slack(x, w).tolist() == [[30.0]]
    for clear in (_near_a_tie(127.0, 1.4), torch.tensor([127.0, 1.5])):
        assert product_slack(symmetric(clear[None], 1, 127, -128), w).tolist() == [[0.0]]


def test_both_sides_may_be_ambiguous() -> None:
    x = symmetric(_near_a_tie(127.0, 1.5)[None], 1, 127, -128)
    w = symmetric(_near_a_tie(127.0, 10.5)[:, None], 0, 127, -128)
    moved = [qx * qw - 2 * 10 for qx in (1, 2) for qw in (10, 11)]
    assert float(product_slack(x, w)) >= 9 * max(abs(move) for move in moved)


def test_the_slack_of_a_quantised_weight_alone() -> None:
    w = symmetric(_near_a_tie(7.0, 1.5)[:, None], 0, 7, -8)
    x = torch.tensor([[3.0, -2.0]], dtype=torch.float16)
    assert product_slack(x, w).tolist() == [[6.0]]


def test_the_scale_is_a_division_as_float32_does_it() -> None:
    """A product with 1 / 127, which a card makes of it, is another number one time in three."""
    tops = torch.rand(1000, 1, generator=torch.Generator().manual_seed(0)) * 5
    exact = numpy.float32(tops.numpy()) / numpy.float32(127)
    assert (symmetric(tops, 1, 127, -127).scale.numpy() == exact).all()
    assert (tops.numpy() * numpy.float32(1 / 127) != exact).any()
