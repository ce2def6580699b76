"""Products quantised inside the call: what the family accepts and rejects."""

from typing import Any

import torch

from kernelbenchx import catalog
from kernelbenchx.spec import Draw, Rule, quantise
from rejections import is_caught, living, refused_truths, scopes_of

TASK = catalog.load("quantization/linear_w4a16")


def test_the_reference_is_right_and_every_broken_promise_is_seen() -> None:
    for seed in range(3):
        assert refused_truths(TASK, seed) == []
    assert living(TASK) == []


def test_near_misses_die() -> None:
    def without_last_of_odd(input: torch.Tensor, weight: torch.Tensor, **words: Any) -> Any:
        even = weight.shape[1] // 2 * 2
        cut = torch.cat((weight[:, :even], 0 * weight[:, even:]), 1)
        return TASK.reference(input, cut, **words)

    for seed in range(3):
        assert is_caught(TASK, without_last_of_odd, seed)


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["bias", "contiguous"] == set()
    assert asked["bias", "strided"] == asked["second_layout", "transposed"] == {"layout"}
    assert asked["values", "ties"] == {"values"}
    assert ("sizes", "empty sum") not in asked


def test_codes_are_rounded_to_nearest_within_their_levels() -> None:
    x = torch.tensor([[7.0, 2.5, -3.5, 0.0], [0.0, 0.0, 0.0, 0.0]])
    codes, scale = quantise(x, Rule(over=1, levels=7))
    assert codes.tolist() == [[7.0, 2.0, -4.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    assert scale.tolist() == [[1.0], [0.0]]
    truncated, _ = quantise(x, Rule(over=1, levels=7), rounded=torch.trunc)
    assert truncated.tolist()[0] == [7.0, 2.0, -3.0, 0.0]


def test_ties_lie_on_halves_and_ordinary_values_do_not() -> None:
    for values, tied in (("ties", True), ("ordinary", False)):
        weight = TASK.inputs(Draw.from_seed(0), (4, 40, 9), values=values).args[1].float()
        scale = weight.abs().amax(1, keepdim=True) / 7
        halves = (2 * weight / scale)[scale.flatten() > 0]
        assert torch.equal(halves, halves.round()) == tied
        assert not weight[1].any() and weight[0].any()


def test_only_what_is_quantised_has_rules() -> None:
    names = {one.name for one in TASK.mutants}
    both = {one.name for one in catalog.load("quantization/matmul_w8a8").mutants}
    assert (
        "the input is quantised as well" in names and "the input is quantised as well" not in both
    )
    assert "one scale for the whole input" in both and "one scale for the whole input" not in names


def test_a_bias_is_paid_for_where_it_is_given() -> None:
    cost = TASK.cost(sizes=(2, 3, 5))
    assert (cost.flops, cost.bytes) == (2 * 2 * 3 * 5, 2 * (6 + 15 + 10))
    assert TASK.cost(sizes=(2, 3, 5), bias="contiguous").bytes == cost.bytes + 2 * 5
