"""Layer norm after a step: what may be given for its shape, and mistakes that differ from it."""

import random
from typing import Any

import pytest
import torch

from kernelbenchx.spec.families.layer_norm import (
    moved_by_rounding,
    normalized_shapes,
    normalized_sizes,
    rounded_before,
    wrong_widths,
)

X = torch.tensor([[0.1, 0.5, -0.7, 2.0], [3.1, 3.2, 3.3, 3.9]])


def _same(input: torch.Tensor) -> torch.Tensor:
    return input.float()


def _norm(x: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    return torch.nn.functional.layer_norm(x.float(), x.shape[-1:], eps=eps).to(x.dtype)


@pytest.mark.parametrize("given", [None, 4, (4,), torch.Size((4,))])
def test_sizes_may_be_given_in_several_ways(given: Any) -> None:
    assert normalized_sizes(given, 4) == (4,)
    assert normalized_sizes((3, 4), 4) != (4,)


def test_drawn_sizes_are_those_of_the_result_and_not_of_the_input() -> None:
    before = {"shape": (2, 5, 7, 9)}  # (..., K, N)
    drawn = {
        one.name: one.draw_value(random.Random(0), before)
        for one in normalized_shapes().options[1:]
    }
    assert drawn["int"] == 9 and drawn["one"] == (9,)
    assert isinstance(drawn["Size"], torch.Size)
    assert drawn["two"] == (5, 9) and drawn["all"] == (2, 5, 9)


@pytest.mark.parametrize("place", range(3))
def test_a_wrong_width_differs(place: int) -> None:
    wrong = wrong_widths(_same)[place].answer
    x, eps = (X + 3e3, 1e-5) if place == 2 else (X, 0.5)  # one pass is right near zero
    assert not torch.allclose(wrong(x, eps=eps), _norm(x, eps), atol=1e-3)
    if place == 2:
        torch.testing.assert_close(wrong(X, eps=eps), _norm(X, eps))


def test_rounding_before_shows_at_16_bits_only() -> None:
    def third(input: torch.Tensor) -> torch.Tensor:
        return input.float() / 3 + 5

    answer = rounded_before(third)
    torch.testing.assert_close(answer(X), _norm(third(X)))
    exact = _norm(third(X.half()).double()).half()
    assert not torch.equal(answer(X.half()), exact)


def test_rounding_moves_less_where_the_spread_is_wide() -> None:
    moved = torch.ones_like(X)
    narrow, wide = (moved_by_rounding(x, moved, (-1,), 1e-5) for x in (X, 100 * X))
    assert (wide < narrow).all()
