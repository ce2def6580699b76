"""Steps that round once."""

import pytest
import torch

from kernelbenchx.spec.families.round_once import round_to_input, widen_input


@pytest.mark.parametrize(
    ("given", "wide"),
    [
        (torch.float16, torch.float32),
        (torch.bfloat16, torch.float32),
        (torch.int64, torch.float32),
        (torch.float64, torch.float64),
    ],
)
def test_narrow_inputs_are_widened_and_wide_ones_stay(
    given: torch.dtype, wide: torch.dtype
) -> None:
    x = torch.ones(3, dtype=given)
    assert widen_input(x).dtype == wide
    assert round_to_input(widen_input(x), x).dtype == (given if given.is_floating_point else wide)


def test_two_steps_round_once_where_they_would_round_twice() -> None:
    x = torch.linspace(0.1, 9, 200).bfloat16()
    exact = torch.exp(torch.sqrt(x.double())).bfloat16()
    assert torch.equal(round_to_input(torch.exp(torch.sqrt(widen_input(x))), x), exact)
    assert not torch.equal(torch.exp(torch.sqrt(x)), exact)


def test_out_is_filled_and_returned() -> None:
    x, out = torch.ones(3), torch.zeros(3)
    assert round_to_input(x + 1, x, out) is out and out.tolist() == [2.0] * 3
    assert round_to_input(x + 1, x) is not out
