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
Output and grid have the dtype of input; 16-bit inputs are computed in float32, coordinates too, and
rounded once. Values are finite; the output may be empty.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.traffic import hit, in_a_sector

FLOATS = (torch.float32, torch.float16)
F32 = torch.float32
IMAGE = {"shape": ((2, 3, 9, 14),), "to": ((13, 11),)}
VOLUME = {"shape": ((1, 2, 4, 5, 6),), "to": ((3, 4, 5),)}
PADDINGS = ("zeros", "border", "reflection")
Shape = tuple[int, ...]


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


def inputs(
    draw: Draw,
    shape: Shape,
    to: Shape,
    dtype: torch.dtype,
    mode: str = "bilinear",
    align_corners: bool = False,
    outside: float = 0.4,
    ties: bool = False,
    layout: str = "contiguous",
    **options: Any,
) -> Call:
    x = draw.planted(draw.normal(shape, dtype), (0.0, 100.0, -100.0))
    axes = []
    for size in reversed(shape[2:]):
        # Whole pixels and a part of one: rounding must not decide which pixel is the nearest.
        part = 0.4 if mode == "nearest" else 0.5
        beyond = math.ceil(outside * size)
        p = draw.integers((shape[0], *to), -beyond, size + beyond).double()
        p = p + (0.5 if ties else draw.uniform(p.shape, torch.float64, -part, part))
        axes.append(2 * p / max(size - 1, 1) - 1 if align_corners else (2 * p + 1) / size - 1)
    places = torch.stack(axes, -1).to(dtype)
    if mode == "bilinear":
        places = draw.planted(places, (-1.0, 1.0, 0.0, 7.0))
    options.update(mode=mode, align_corners=align_corners)
    return call(draw.laid_out(x, layout), draw.laid_out(places, layout), **options)


def cost(
    shape: Shape, to: Shape, dtype: torch.dtype, mode: str = "bilinear", outside: float = 0.4, **_
) -> Cost:
    """Parts of the image into which no place falls need not be read; places outside read none."""
    places = shape[0] * math.prod(to)
    taps = 1 if mode == "nearest" else 2 ** len(to)
    inside = math.prod((size - 1) / (size + 2 * math.ceil(outside * size)) for size in shape[2:])
    sectors = math.prod(shape[2:]) / min(in_a_sector(dtype.itemsize), shape[-1])
    # Two taps side by side are taken to lie in one sector.
    seen = hit(math.prod(to) * inside * max(taps // 2, 1), sectors)
    moved = int(seen * math.prod(shape)) + places * (len(to) + shape[1])
    return Cost(flops=2 * taps * places * shape[1], bytes=moved * dtype.itemsize)


def rounding(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """A coordinate is rounded in units of itself; that moves the result by a tap or two."""
    if mode == "nearest":
        return (None,)
    flat = input.dim() == 4
    pool = torch.nn.functional.max_pool2d if flat else torch.nn.functional.max_pool3d
    largest = pool(input.abs(), 3, 1, 1)
    seen = "border" if padding_mode == "zeros" else padding_mode
    taps = torch.nn.functional.grid_sample(largest, grid, mode, seen, align_corners)
    sizes = torch.tensor(input.shape[:1:-1], dtype=torch.float64, device=grid.device)
    coordinates = ((grid.abs() + 1) * sizes).sum(-1)
    return taps * (1 + coordinates.unsqueeze(1))


def _without(name: str) -> Any:
    """The answer of someone who never looks at one argument."""

    def answer(input: torch.Tensor, grid: torch.Tensor, **options: Any) -> torch.Tensor:
        options.pop(name, None)
        return grid_sample(input, grid, **options)

    return answer


def _rows_first(input: torch.Tensor, grid: torch.Tensor, **options: Any) -> torch.Tensor:
    return grid_sample(input, grid.flip(-1), **options)


def _half_coordinates(input: torch.Tensor, grid: torch.Tensor, **options: Any) -> torch.Tensor:
    return grid_sample(input, grid.half().to(grid.dtype), **options)


def _border_for_reflection(input: torch.Tensor, grid: torch.Tensor, **options: Any) -> Any:
    if options.get("padding_mode") == "reflection":
        options["padding_mode"] = "border"
    return grid_sample(input, grid, **options)


TASK = Task(
    reference=grid_sample,
    eager=torch.nn.functional.grid_sample,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=rounding),
    checks=(
        # 2 * 13 * 11 points: two blocks of 256 with a tail, the first holding both images.
        grid(**IMAGE, dtype=(F32,), padding_mode=PADDINGS, align_corners=(False, True))
        + grid(**IMAGE, dtype=FLOATS, padding_mode=PADDINGS, mode=("nearest",))
        + grid(**VOLUME, dtype=FLOATS, padding_mode=PADDINGS, outside=(2.5,))
        + case(shape=(2, 1, 3, 5, 4), to=(2, 3, 4), dtype=F32, mode="nearest", align_corners=True)
        # Exactly between two pixels: with these sizes the coordinate is exact in any formula.
        + case(shape=(1, 2, 8, 16), to=(7, 9), dtype=F32, mode="nearest", ties=True)
        + case(
            shape=(1, 2, 5, 9),
            to=(7, 9),
            dtype=F32,
            mode="nearest",
            align_corners=True,
            ties=True,
            padding_mode=PADDINGS[1],
        )
        + case(shape=(1, 2, 6, 8), to=(10, 12), dtype=torch.float16)
        + case(shape=(2, 2, 6, 8), to=(5, 4), dtype=F32, layout="transposed")
        + case(
            shape=(1, 1, 1, 3), to=(4, 4), dtype=F32, align_corners=True, padding_mode=PADDINGS[2]
        )
        + case(shape=(1, 1, 1, 1), to=(1, 1), dtype=F32)
        + case(shape=(2, 3, 4, 4), to=(0, 5), dtype=F32)
    ),
    timings=(
        case(shape=(16, 3, 1024, 1024), to=(512, 512), dtype=F32)
        + case(
            shape=(8, 16, 512, 512),
            to=(512, 512),
            dtype=torch.float16,
            padding_mode=PADDINGS[1],
            align_corners=True,
        )
        + case(shape=(2, 8, 96, 96, 96), to=(96, 96, 96), dtype=F32, padding_mode=PADDINGS[2])
    ),
    mutants=(
        Mutant("mode ignored", _without("mode"), ("mode",)),
        Mutant("padding_mode ignored", _without("padding_mode"), ("padding_mode",)),
        Mutant("border for reflection", _border_for_reflection, ("padding_mode",)),
        Mutant("align_corners ignored", _without("align_corners"), ("align_corners",)),
        Mutant("grid holds (y, x)", _rows_first, ("grid",)),
        Mutant("coordinates in half", _half_coordinates, ("grid",)),
        Patch(
            "rows as long as columns",
            "(iz * height + iy) * width",
            "(iz * height + iy) * height",
            ("input",),
        ),
        Patch("halves away from zero", "((p - low == 0.5) & odd)", "(p - low == 0.5)", ("mode",)),
        Patch("mirrored at pixel centres", "low = -0.5", "low = 0.0", ("padding_mode",)),
        Patch(
            "mirrored once",
            "turns - 2.0 * tl.floor(turns / 2.0) == 1.0",
            "turns >= 1.0",
            ("padding_mode",),
        ),
        Patch("first block only", "_sample[(triton.cdiv(points, 256),)]", "_sample[(1,)]"),
        Patch("first channel everywhere", "image += depth", "image += 0 * depth", ("input",)),
    ),
    dtypes=FLOATS,
    difficulty=4,
)
