"""Samples an image or a volume at the places that a grid names.

input (N, C, H, W) with grid (N, oH, oW, 2) gives (N, C, oH, oW); input (N, C, D, H, W) with grid
(N, oD, oH, oW, 3) gives (N, C, oD, oH, oW). The last dimension of grid holds x (along W), y (along
H) and, in 5-D, z (along D). A grid value g names the pixel coordinate p along an axis of size s:
    p = ((g + 1) * s - 1) / 2          or, with align_corners=True,    p = (g + 1) / 2 * (s - 1)
padding_mode says what is seen outside 0..s-1: 'zeros' nothing, taps outside count as 0; 'border'
clamps p to [0, s - 1]; 'reflection' mirrors p, as often as needed, at -0.5 and s - 0.5 (with
align_corners at 0 and s - 1; p = 0 if s = 1), then clamps it.
mode='bilinear' is linear in each axis between the two neighbours of p (4 taps, 8 in 5-D), with the
weights of 'zeros' not renormalized; mode='nearest' takes the pixel at round(p), halves to even.
Values are finite.
"""

import torch

from kernelbenchx.spec import Mutant, case, sampling


def grid_sample(
    input: torch.Tensor,
    grid: torch.Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    out = torch.nn.functional.grid_sample(
        input.to(wide), grid.to(wide), mode, padding_mode, align_corners
    )
    return out.to(input.dtype)


def _mirrored_once(input, grid, padding_mode="zeros", **options):
    near = grid.clamp(-3, 3) if padding_mode == "reflection" else grid
    return grid_sample(input, near, padding_mode=padding_mode, **options)


def _rows_first(input, grid, **options):
    return grid_sample(input, grid.flip(-1), **options)


F16, F32 = torch.float16, torch.float32
AT_THE_BORDER = {"padding_mode": "border", "align_corners": True}

TASK = sampling(
    grid_sample,
    eager=torch.nn.functional.grid_sample,
    timings=case(shape=(16, 3, 1024, 1024), to=(512, 512), dtype=F32)
    + case(shape=(8, 16, 512, 512), to=(512, 512), dtype=F16, **AT_THE_BORDER)
    + case(shape=(2, 8, 97, 95, 93), to=(91, 99, 95), dtype=F32, padding_mode="reflection"),
    mutants=(
        Mutant("mirrored once", _mirrored_once, ("padding_mode",)),
        Mutant("grid holds (y, x)", _rows_first, ("grid",)),
    ),
    difficulty=4,
)
