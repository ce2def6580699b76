"""Resizing: what the family accepts and rejects, and the places that 'nearest' reads."""

import math
from typing import Any

import pytest
import torch

from kernelbenchx.spec import Mutant, case
from kernelbenchx.spec.families.resizing import compute_output_sizes, nearest_places, resizing
from rejections import is_caught, living, refused_truths, scopes_of


def resize(
    input: torch.Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> torch.Tensor:
    if mode == "nearest":
        for dim, places in enumerate(nearest_places(input.shape, size, scale_factor), 2):
            input = input.index_select(dim, places)
        return input
    x = input.to(torch.promote_types(input.dtype, torch.float32))
    found = torch.nn.functional.interpolate(x, size, scale_factor, mode, align_corners)
    return found.to(input.dtype)


TASK = resizing(
    resize,
    timings=case(shape=(1, 1, 4, 4), to=(("size", 2),), dtype=torch.float32),
    difficulty=1,
)


def test_right_answers_pass_and_every_wrong_one_of_the_family_is_seen() -> None:
    assert refused_truths(TASK, 0) == []
    assert living(TASK) == []
    wrong = [one for one in TASK.mutants if isinstance(one, Mutant)]
    assert [one.name for one in wrong if not is_caught(TASK, one.answer)] == []


@pytest.mark.parametrize("count", range(1, 40))
def test_nearest_reads_the_exact_quotient(count: int) -> None:
    (found,) = nearest_places((1, 1, 14), size=count)
    assert found.tolist() == [math.floor(i * 14 / count + 1e-9) for i in range(count)]


@pytest.mark.parametrize("factor", [0.5, 0.75, 1.25, 1.5, 2.5, 3.0])
def test_with_these_factors_every_precision_finds_the_same_place(factor: float) -> None:
    (found,) = nearest_places((1, 1, 2000), scale_factor=factor)
    k = torch.arange(len(found), dtype=torch.float32)
    assert torch.equal(found.float(), (k * torch.tensor(1 / factor)).floor())
    assert torch.equal(found.float(), (k / factor).floor())


def test_sizes_are_those_of_torch() -> None:
    x = torch.zeros(1, 1, 5, 9)
    for how in ({"size": 4}, {"size": (4, 3)}, {"scale_factor": 1.7}, {"scale_factor": (0.4, 3.3)}):
        made = torch.nn.functional.interpolate(x, **how)  # type: ignore[arg-type]
        assert compute_output_sizes(x.shape, **how) == made.shape[2:]


def test_another_origin_of_pixels_is_caught() -> None:
    def moved(input: torch.Tensor, mode: str = "nearest", **how: Any) -> torch.Tensor:
        return resize(input.roll(1, -1), mode=mode, **how)

    assert is_caught(TASK, moved)


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["mode", "trilinear"] == asked["to", "by several"] == set()
    assert asked["shape", "none"] == asked["to", "ones"] == {"degenerate"}
