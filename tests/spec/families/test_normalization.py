"""Normalization: what the family accepts and rejects, shown by a layer norm of rows."""

from typing import Any

import torch

from kernelbenchx.spec import Close, Cost, Draw, case, normalization
from kernelbenchx.spec.families.axes import DEGENERATE, fresh
from kernelbenchx.spec.space import Axis, Option
from rejections import is_caught, living, rejecting, scopes_of

ROWS = Axis(
    "shape",
    (
        Option("rows", fresh(lambda c: (c.randrange(3, 9), c.randrange(30, 90)))),
        Option("empty", (0, 5), DEGENERATE),
    ),
)


def rows(
    input: torch.Tensor,
    weight: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    eps: float = 1e-5,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    scale, shift = (None if one is None else one.to(wide) for one in (weight, bias))
    size = list(input.shape[-1:])
    return torch.nn.functional.layer_norm(input.to(wide), size, scale, shift, eps).to(input.dtype)


def _size(input: torch.Tensor, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    away = input - input.mean(-1, keepdim=True)
    width = (away.square().mean(-1, keepdim=True) + eps).sqrt()
    y = 8 * (input.abs() + input.abs().mean(-1, keepdim=True)) / width * (1 + (away / width).abs())
    y = y if weight is None else y * weight.abs()
    return y if bias is None else y + bias.abs()


def _one_pass(input: torch.Tensor, eps: float = 1e-5, **words: Any) -> Any:
    x = input.float()
    mean = x.mean(-1, keepdim=True)
    width = (x.square().mean(-1, keepdim=True) - mean.square() + eps).clamp(min=1e-9).sqrt()
    y = (x - mean) / width * words.get("weight", torch.ones(()))
    return (y + words.get("bias", torch.zeros(()))).to(input.dtype)


def _halfway(input: torch.Tensor, weight: Any = None, bias: Any = None, **words: Any) -> Any:
    y = rows(input, **words)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


TASK = normalization(
    rows,
    shapes=ROWS,
    slices=lambda shape: (*shape[:-1], 1),
    vectors=lambda shape: shape[-1:],
    one_pass=_one_pass,
    halfway=_halfway,
    contract=Close(scale=_size),
    cost=lambda **_: Cost(flops=1, bytes=1),
    timings=case(shape=(8, 8), dtype=torch.float32),
    mutants=(),
    difficulty=1,
)


def test_the_reference_is_right_and_every_broken_promise_is_seen() -> None:
    for seed in range(3):
        assert list(rejecting(TASK, rows, seed)) == []
    assert living(TASK) == []


def test_near_misses_die() -> None:
    def narrow_sums(input: torch.Tensor, **words: Any) -> torch.Tensor:
        """The mean in the dtype of the input."""
        return rows(input - input.mean(-1, keepdim=True), **words)

    for seed in range(3):
        assert is_caught(TASK, narrow_sums, seed)


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["weight", "contiguous"] == asked["eps", "half"] == set()
    assert asked["weight", "strided"] == asked["bias", "expanded"] == {"layout"}
    assert asked["values", "shifted"] == asked["values", "special"] == {"values"}
    assert not any(axis == "running_layout" for axis, _ in asked)


def test_means_are_those_of_slices() -> None:
    params = {"shape": (50, 400), "dtype": torch.float32}
    for values, least in (("ordinary", 0.5), ("shifted", 100.0)):
        x = TASK.inputs(Draw.from_seed(0), **params, values=values).args[0]
        assert x.mean(-1).std() > least > 0.4
        assert 0.8 < x.std(-1).mean() < 1.2
    constant = TASK.inputs(Draw.from_seed(0), **params, values="constant").args[0]
    assert constant.std(-1).max() == 0
