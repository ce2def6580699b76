"""Products quantised inside the call: what the family accepts and rejects."""

from typing import Any

import torch

from kernelbenchx import catalog
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
