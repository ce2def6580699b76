"""Sampling between pixels: what the family accepts and rejects, shown by a task made of a line."""

from typing import Any

import pytest
import torch

from kernelbenchx.spec import Draw, Mutant, case, sampling
from kernelbenchx.spec.families.grid_sampling import grid_values
from rejections import is_caught, living, refused_truths, scopes_of


def sample(
    input: torch.Tensor,
    grid: torch.Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    x, places = input.to(wide), grid.to(wide)
    found = torch.nn.functional.grid_sample(x, places, mode, padding_mode, align_corners)
    return found.to(input.dtype)


TASK = sampling(
    sample, timings=case(shape=(1, 1, 4, 4), to=(2, 2), dtype=torch.float32), difficulty=1
)


def test_right_answers_pass_and_every_wrong_one_of_the_family_is_seen() -> None:
    assert refused_truths(TASK, 0) == []
    assert living(TASK) == []
    wrong = [one for one in TASK.mutants if isinstance(one, Mutant)]
    assert [one.name for one in wrong if not is_caught(TASK, one.answer)] == []


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["shape", "volume"] == asked["mode", "nearest"] == set()
    assert asked["shape", "one pixel"] == asked["to", "none"] == {"degenerate"}
    assert asked["shape", "long row"] == {"scale"}
    assert asked["grid_layout", "expanded"] == {"layout"}
    assert asked["values", "ties"] == {"values"}


@pytest.mark.parametrize("aligned", [False, True])
def test_a_grid_value_names_its_pixel_and_not_the_next(aligned: bool) -> None:
    image = torch.arange(5.0).view(1, 1, 1, 5).expand(1, 1, 5, 5)
    for pixel in range(5):
        at = float(grid_values(torch.tensor(float(pixel)), 5, aligned))
        seen = sample(image, torch.tensor([[[[at, 0.0]]]]), "nearest", align_corners=aligned)
        assert seen.item() == pixel
        seen = sample(image, torch.tensor([[[[at + 0.5, 0.0]]]]), "nearest", align_corners=aligned)
        assert seen.item() != pixel


def _pixel_parts(**options: Any) -> torch.Tensor:
    shape = (2, 1, 8, 8)
    drawn = TASK.inputs(Draw.from_seed(1), shape, (9, 9), torch.float64, mode="nearest", **options)
    grid: torch.Tensor = drawn.args[1]
    return (((grid + 1) * 8 - 1) / 2) % 1


def test_places_lie_on_ties_only_where_they_are_asked_for() -> None:
    assert torch.equal(_pixel_parts(values="ties"), torch.full((2, 9, 9, 2), 0.5).double())
    assert ((_pixel_parts() - 0.5).abs() > 0.05).all()


def test_places_outside_of_the_image_are_not_paid_for() -> None:
    params = {"shape": (1, 1, 512, 512), "to": (300, 300), "dtype": torch.float32}
    near, far = TASK.cost(**params), TASK.cost(**params, values="far outside")
    assert far.flops == near.flops and far.bytes < near.bytes
