"""What is done to a linear layer: what the family accepts and rejects, shown by a shifted one."""

from typing import Any

import torch

from kernelbenchx.spec import Close, argument, case, linear_layer, wide_linear
from rejections import is_caught, living, rejecting, scopes_of


def shifted(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, by: float = 2.0
) -> torch.Tensor:
    return (wide_linear(input, weight, bias) - by).to(input.dtype)


def _exact(input: torch.Tensor, weight: torch.Tensor, bias: Any = None, **by: float) -> Any:
    """In float64: a float32 sum that begins with a bias far above it is at the border."""
    added = None if bias is None else bias.double()
    return shifted(input.double(), weight.double(), added, **by).to(input.dtype)


def _size(input: torch.Tensor, weight: torch.Tensor, bias: Any = None, by: float = 2.0) -> Any:
    added = None if bias is None else bias.abs()
    growth = max(1.0, input.shape[-1] ** 0.5 / 8)
    return growth * wide_linear(input.abs(), weight.abs(), added) + by


def _between(
    input: torch.Tensor, weight: torch.Tensor, bias: Any = None, by: float = 2.0
) -> torch.Tensor:
    product = wide_linear(input, weight, bias).to(input.dtype)
    return (product.float() - by).to(input.dtype)


TASK = linear_layer(
    shifted,
    rounded_between=_between,
    flops=1,
    scales={"large": 100.0},
    bias_means={"far above": 100.0},
    arguments=(argument("by", not_given=None, third=1 / 3),),
    contract=Close(scale=_size),
    timings=case(shape=(8, 8, 8), dtype=torch.float32),
    mutants=(),
    difficulty=1,
)


def test_the_reference_is_right_and_every_broken_promise_is_seen() -> None:
    for seed in range(3):
        assert list(rejecting(TASK, _exact, seed)) == []
    assert living(TASK) == []


def test_one_block_of_outputs_or_of_terms_is_not_enough() -> None:
    def few_outputs(input: torch.Tensor, weight: torch.Tensor, **words: Any) -> torch.Tensor:
        y = shifted(input, weight, **words)
        return torch.cat((y[..., :4096], 0 * y[..., 4096:]), -1)

    def short_sums(input: torch.Tensor, weight: torch.Tensor, **words: Any) -> torch.Tensor:
        return shifted(input[..., :4096], weight[:, :4096], **words)

    for seed in range(3):
        assert is_caught(TASK, few_outputs, seed)
        assert is_caught(TASK, short_sums, seed)


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["bias", "contiguous"] == asked["by", "third"] == set()
    assert asked["bias", "strided"] == asked["weight_layout", "expanded"] == {"layout"}
    assert asked["shape", "empty"] == {"degenerate"}
    assert asked["values", "far above"] == {"values"}


def test_a_bias_far_above_zero_is_always_given() -> None:
    for seed in range(3):
        for one in TASK.cases(seed):
            assert one.options["values"] != "far above" or "bias" in one.params


def test_what_comes_after_the_product_is_counted() -> None:
    cost = TASK.cost(shape=(2, 3, 5), dtype=torch.float16)
    assert (cost.flops, cost.bytes) == (2 * 2 * 3 * 5 + 2 * 5, 2 * (6 + 15 + 10))
    assert TASK.cost(shape=(2, 3, 5), dtype=torch.float16, bias="strided").bytes == cost.bytes + 10
