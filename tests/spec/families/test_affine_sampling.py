"""Sampling by affine maps: what the family accepts and rejects, and which places it asks about."""

from typing import Any

import pytest
import torch

from kernelbenchx.spec import Draw, Mutant, case
from kernelbenchx.spec.families.affine_sampling import affine_places, affine_sampling
from rejections import is_caught, living, refused_truths, scopes_of


def sample(
    input: torch.Tensor,
    theta: torch.Tensor,
    size: torch.Size,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    grid = affine_places(theta.to(wide), size, align_corners)
    found = torch.nn.functional.grid_sample(input.to(wide), grid, mode, padding_mode, align_corners)
    return found.to(input.dtype)


TASK = affine_sampling(
    sample, timings=case(shape=(1, 1, 4, 4), to=(2, 2), dtype=torch.float32), difficulty=1
)


def test_right_answers_pass_and_every_wrong_one_of_the_family_is_seen() -> None:
    assert refused_truths(TASK, 0) == []
    assert living(TASK) == []
    wrong = [one for one in TASK.mutants if isinstance(one, Mutant)]
    assert [one.name for one in wrong if not is_caught(TASK, one.answer)] == []


@pytest.mark.parametrize("aligned", [True, False])
def test_places_are_those_of_torch(aligned: bool) -> None:
    theta = torch.randn(2, 2, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    right = torch.nn.functional.affine_grid(theta, [2, 1, 5, 7], aligned)
    assert torch.allclose(affine_places(theta, (2, 1, 5, 7), aligned), right, atol=1e-12)
    other = torch.nn.functional.affine_grid(theta, [2, 1, 5, 7], not aligned)
    assert not torch.allclose(other, right, atol=1e-3)


def test_a_single_row_with_aligned_corners_lies_in_the_middle() -> None:
    theta = torch.tensor([[[1.0, 0, 0], [0, 1, 0]]])
    assert affine_places(theta, (1, 1, 1, 3), True)[0, 0].tolist() == [[-1, 0], [0, 0], [1, 0]]


def pixels(values: str, aligned: bool) -> torch.Tensor:
    """The pixel coordinates along x of a drawn call."""
    words: dict[str, Any] = {"mode": "nearest", "align_corners": aligned, "values": values}
    one = case(shape=(3, 1, 9, 17), to=(9, 17), dtype=torch.float32, **words)[0]
    _, theta, size = TASK.draw(one, 0).args
    grid = affine_places(theta.double(), size, aligned)[..., 0]
    return (grid + 1) / 2 * 16 if aligned else ((grid + 1) * 17 - 1) / 2


@pytest.mark.parametrize("aligned", [True, False])
def test_nearest_is_asked_for_away_from_ties_unless_they_are_meant(aligned: bool) -> None:
    from_tie = (pixels("", aligned) % 1 - 0.5).abs()
    assert float(from_tie.min()) > 0.1
    if aligned:
        assert float((pixels("ties", aligned) % 1 - 0.5).abs().min()) == 0.0


def test_coordinates_may_be_rounded_to_float32_and_not_to_half() -> None:
    def rounded(dtype: torch.dtype) -> Any:
        def answer(input: Any, theta: Any, size: Any, **how: Any) -> Any:
            aligned = how.get("align_corners", False)
            grid = affine_places(theta.double(), size, aligned).to(dtype).double()
            found = torch.nn.functional.grid_sample(
                input.double(), grid, how.get("mode", "bilinear"),
                how.get("padding_mode", "zeros"), aligned,
            )  # fmt: skip
            return found.to(input.dtype)

        return answer

    assert not is_caught(TASK, rounded(torch.float32))
    assert is_caught(TASK, rounded(torch.float16))


def test_integer_maps_are_small_and_axes_ask_about_their_scopes() -> None:
    asked = scopes_of(TASK)
    assert asked["theta_dtype", "int64"] == {"dtype"} and asked["mode", "bicubic"] == set()
    one = case(shape=(2, 1, 4, 4), to=(3, 3), dtype=torch.float32, theta_dtype=torch.int64)[0]
    theta = TASK.inputs(Draw.from_seed(0), **one.params).args[1]
    assert theta.dtype == torch.int64 and int(theta.abs().max()) <= 1
