"""Samples each image at the places that an affine map gives to the pixels of the output.

input (N, C, H, W), theta (N, 2, 3) and size (N, C, oH, oW), a torch.Size or tuple whose first two
entries are those of input; all sizes are positive. The pixel in row i and column j of output n has
    x = (2 * j + 1) / oW - 1,  y = (2 * i + 1) / oH - 1    or, with align_corners=True,
    x = 2 * j / (oW - 1) - 1,  y = 2 * i / (oH - 1) - 1    (0 where oW or oH is 1)
and is sampled at (u, v) = theta[n] @ (x, y, 1), u along W and v along H. A value g of these names
the pixel coordinate p along an axis of s pixels:
    p = ((g + 1) * s - 1) / 2          or, with align_corners=True,    p = (g + 1) / 2 * (s - 1)
padding_mode says what is seen outside 0..s-1: 'zeros' counts taps there as 0; 'border' clamps to
[0, s - 1]; 'reflection' mirrors, as often as needed, at -0.5 and s - 0.5 (with align_corners at 0
and s - 1; 0 if s = 1), then clamps. It is p that is clamped or mirrored, in 'bicubic' each tap.
mode='nearest' takes the pixel at round(p), halves to even; 'bilinear' is linear in each axis
between the two neighbours of p; 'bicubic' weighs the taps t = floor(p) - 1 .. floor(p) + 2 of each
axis by w(|p - t|), with w(d) = 1.25 d^3 - 2.25 d^2 + 1 for d <= 1 and else
w(d) = -0.75 d^3 + 3.75 d^2 - 6 d + 3. Weights are not renormalized. Values are finite.
"""

import torch

from kernelbenchx.spec import Mutant, case
from kernelbenchx.spec.families.affine_sampling import affine_places, affine_sampling


def grid_sample_with_affine(
    input: torch.Tensor,
    theta: torch.Tensor,
    size: torch.Size,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    grid = affine_places(theta.to(wide), size, align_corners)
    out = torch.nn.functional.grid_sample(input.to(wide), grid, mode, padding_mode, align_corners)
    return out.to(input.dtype)


def eager(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    grid = torch.nn.functional.affine_grid(theta.float(), list(size), align_corners)
    return _at(grid, input, mode, padding_mode, align_corners)


def _at(grid, input, mode="bilinear", padding_mode="zeros", align_corners=False):
    out = torch.nn.functional.grid_sample(input.float(), grid, mode, padding_mode, align_corners)
    return out.to(input.dtype)


def _half_grid(input, theta, size, **options):
    grid = affine_places(theta.float(), size, options.get("align_corners", False))
    return _at(grid.half().float(), input, **options)


def _half_aligned(input, theta, size, **options):
    grid = affine_places(theta.float(), size, not options.get("align_corners", False))
    return _at(grid, input, **options)


def _rows_first(input, theta, size, **options):
    return grid_sample_with_affine(input, theta.flip(1), size, **options)


def _inverse_turn(input, theta, size, **options):
    turned = torch.cat((theta[:, :, :2].mT, theta[:, :, 2:]), -1)
    return grid_sample_with_affine(input, turned, size, **options)


def _first_map(input, theta, size, **options):
    return grid_sample_with_affine(input, theta[:1].expand(theta.shape), size, **options)


def _linear_for_cubic(input, theta, size, mode="bilinear", **options):
    seen = "bilinear" if mode == "bicubic" else mode
    return grid_sample_with_affine(input, theta, size, mode=seen, **options)


F16, F32 = torch.float16, torch.float32
AT_THE_BORDER = {"padding_mode": "border", "align_corners": True}

TASK = affine_sampling(
    grid_sample_with_affine,
    eager=eager,
    timings=case(shape=(16, 3, 1024, 1024), to=(1024, 1024), dtype=F32)
    + case(shape=(8, 16, 512, 512), to=(512, 512), dtype=F16, **AT_THE_BORDER)
    + case(shape=(4, 16, 513, 511), to=(499, 601), dtype=F32, mode="bicubic"),
    mutants=(
        Mutant("grid in half precision", _half_grid, ("theta", "C-ROUND")),
        Mutant("theta holds (y, x)", _rows_first, ("theta",)),
        Mutant("turned the other way", _inverse_turn, ("theta",)),
        Mutant("one map for all images", _first_map, ("theta",)),
        Mutant("align_corners for one half only", _half_aligned, ("align_corners", "size")),
        Mutant("bilinear for bicubic", _linear_for_cubic, ("mode",)),
    ),
    difficulty=3,
    audit=("C-ROUND", "W-ARG"),
)
