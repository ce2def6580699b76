"""Losses of two tensors that hold different things: what the family accepts and rejects."""

from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Close, Draw, case
from kernelbenchx.spec.families.pointwise_loss import (
    other_losses,
    plant_pairs,
    pointwise_loss,
    reduce_losses,
    reduce_rounding,
    weight_size,
)
from rejections import is_caught, living, refused_truths, scopes_of


def scaled(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    reduction: str = "batchmean",
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    losses = input.to(wide) * target.to(wide)
    losses = losses if weight is None else losses * weight.to(wide)
    return reduce_losses(losses, reduction).to(input.dtype)


def _size(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    reduction: str = "batchmean",
) -> torch.Tensor:
    losses = scaled(input, target, weight, "none").abs()
    return reduce_rounding(2 * losses, losses, reduction)


def _pairs(
    draw: Draw, shape: Any, dtype: torch.dtype, values: str, words: Mapping[str, Any]
) -> tuple[torch.Tensor, torch.Tensor]:
    assert "reduction" in words or not words
    size = 100.0 if values == "large" else 1.0
    return draw.uniform(shape, dtype, 1.0, 2.0), draw.normal(shape, dtype, size) + 3 * size


TASK = pointwise_loss(
    scaled,
    pairs=_pairs,
    values=("large",),
    reductions=("batchmean",),
    reduced="What they mean.",
    corners=(
        {"shape": "matrix", "weight": "contiguous", "weight_shape": "column"},
        {"shape": "matrix", "reduction": "batchmean"},
    ),
    flops=2,
    contract=Close(scale=_size),
    timings=case(shape=(8, 8), dtype=torch.float32),
    mutants=(),
    difficulty=1,
)


def test_the_reference_is_right_and_every_broken_promise_is_seen() -> None:
    for seed in range(3):
        assert refused_truths(TASK, seed) == []
    assert living(TASK) == []


def test_losses_that_are_right_pass_and_others_do_not() -> None:
    assert not is_caught(TASK, other_losses(lambda x, y: x * y, "batchmean"))
    assert is_caught(TASK, other_losses(lambda x, y: x * y))
    assert is_caught(TASK, other_losses(lambda x, y: x * y, "batchmean", 1024))
    assert is_caught(TASK, other_losses(lambda x, y: x + y, "batchmean"))


def test_words_of_the_reduction_are_added_and_explained() -> None:
    assert ("reduction", "batchmean") in scopes_of(TASK)
    texts = [promise.text for promise in TASK.promises if promise.axis == "reduction"]
    assert texts == ["What they mean."]


def test_reductions_divide_by_what_they_say() -> None:
    losses = torch.ones(4, 8)
    found = [float(reduce_losses(losses, one)) for one in ("sum", "mean", "batchmean")]
    assert found == [32.0, 1.0, 8.0]
    assert reduce_losses(losses, "none") is losses
    assert float(reduce_losses(torch.tensor(3.0), "batchmean")) == 3.0
    assert reduce_losses(torch.ones(0, 3), "batchmean").isnan()
    assert float(reduce_losses(torch.ones(3, 0), "batchmean")) == 0.0


def test_rounding_is_divided_like_the_sum() -> None:
    each = torch.ones(4, 4).double()
    assert reduce_rounding(each, each, "none") is each
    sizes = [float(reduce_rounding(each, each, one)) for one in ("sum", "mean", "batchmean")]
    assert sizes == [32.0, 2.0, 8.0]


def test_a_weight_broadcasts_and_costs_what_it_holds() -> None:
    sizes = [weight_size((2, 3, 5), kind) for kind in ("same", "row", "column", "0-d")]
    assert sizes == [(2, 3, 5), (5,), (2, 3, 1), ()]
    params: dict[str, Any] = {"shape": (2, 3, 5), "dtype": torch.float32}
    bare = TASK.cost(**params).bytes
    assert bare == (2 * 30 + 1) * 4
    assert TASK.cost(**params, weight="contiguous", weight_shape="row").bytes == bare + 5 * 4
    assert TASK.cost(**params, reduction="none").bytes == 90 * 4


def test_pairs_are_planted_at_one_place() -> None:
    pairs = ((1.0, 2.0), (3.0, 4.0))
    x, y = plant_pairs(Draw.from_seed(1), torch.zeros(50), torch.zeros(50), pairs)
    assert sorted(zip(x[x != 0].tolist(), y[y != 0].tolist(), strict=True)) == list(pairs)
    x, y = plant_pairs(Draw.from_seed(1), torch.zeros(()), torch.zeros(()), pairs)
    assert (float(x), float(y)) == pairs[0]
    x, _ = plant_pairs(Draw.from_seed(1), torch.zeros(0), torch.zeros(0), pairs)
    assert x.numel() == 0
