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

import math
import random
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Promise, Task, argument, call, case
from kernelbenchx.spec.families import axes, wrong
from kernelbenchx.spec.families.axes import DEGENERATE, SCALE, drawn, one_of
from kernelbenchx.spec.families.sentences import input_strides, may_be_empty
from kernelbenchx.spec.space import Axis, Fresh, Option, Space
from kernelbenchx.spec.traffic import hit, in_a_sector

FLOATS = (torch.float32, torch.float16)
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
    values: str = "",
    layout: str = "contiguous",
    grid_layout: str = "contiguous",
    **options: Any,
) -> Call:
    nearest = options.get("mode") == "nearest"
    x = draw.planted(draw.normal(shape, dtype), (0.0, 100.0, -100.0))
    lines = []
    for size in reversed(shape[2:]):
        # Whole pixels and a part of one: rounding must not decide which pixel is the nearest.
        part = 0.4 if nearest else 0.5
        beyond = math.ceil((2.5 if values == "far outside" else 0.4) * size)
        p = draw.integers((shape[0], *to), -beyond, size + beyond).double()
        p = p + (0.5 if values == "ties" else draw.uniform(p.shape, torch.float64, -part, part))
        aligned = options.get("align_corners", False)
        lines.append(2 * p / max(size - 1, 1) - 1 if aligned else (2 * p + 1) / size - 1)
    places = torch.stack(lines, -1).to(dtype)
    if not nearest:
        places = draw.planted(places, (-1.0, 1.0, 0.0, 7.0))
    return call(draw.laid_out(x, layout), draw.laid_out(places, grid_layout), **options)


def cost(shape: Shape, to: Shape, dtype: torch.dtype, mode: str = "bilinear", **how: Any) -> Cost:
    """Parts of the image into which no place falls need not be read; places outside read none."""
    outside = 2.5 if how.get("values") == "far outside" else 0.4
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


def _shape(chance: random.Random, before: Mapping[str, Any], dims: int) -> Shape:
    """For ties: sizes with which the coordinate is exact in any formula."""
    lead = (chance.randrange(1, 4), chance.randrange(1, 4))
    if before.get("values") == "ties":
        one = bool(before.get("align_corners"))
        return (
            *lead,
            *(chance.choice((4, 8, 16) if dims == 2 else (2, 4)) + one for _ in range(dims)),
        )
    return (*lead, *(chance.randrange(3, 18 if dims == 2 else 7) for _ in range(dims)))


def _to(chance: random.Random, before: Mapping[str, Any], least: int, most: int) -> Shape:
    """Below and above a block of places."""
    dims = len(before["shape"]) - 2
    high = most if dims == 2 else round(most ** (2 / 3))
    return tuple(chance.randrange(min(least, high), high + 1) for _ in range(dims))


def _nothing(chance: random.Random, before: Mapping[str, Any]) -> Shape:
    dims = len(before["shape"]) - 2
    gone = chance.randrange(dims)
    return tuple(0 if d == gone else 3 for d in range(dims))


ONE_PIXEL = one_of((1, 2, 1, 1), (1, 3, 1, 3), (1, 1, 1, 1, 1))
SHAPES = (
    Option("image", Fresh(lambda c, before: _shape(c, before, 2))),
    Option("volume", Fresh(lambda c, before: _shape(c, before, 3))),
    Option("one pixel", ONE_PIXEL, DEGENERATE),
    Option("long row", drawn(1, 1, 2, (4100, 5000)), SCALE),
)
PLACES = (
    Option("hundreds", Fresh(lambda c, before: _to(c, before, 4, 19))),
    Option("few", Fresh(lambda c, before: _to(c, before, 2, 4))),
    Option("one", Fresh(lambda c, before: _to(c, before, 1, 1)), DEGENERATE),
    Option("none", Fresh(_nothing), DEGENERATE),
    Option("thousands", Fresh(lambda c, before: _to(c, before, 70, 75)), SCALE),
)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    ties = chosen["values"] == "ties"
    if ties and (chosen["mode"] != "nearest" or chosen["shape"] not in ("image", "volume")):
        return False
    if chosen["shape"] == "long row" and chosen["dtype"] != "float32":
        return False  # 16 bits cannot tell its pixels apart
    if chosen["shape"] in ("volume", "one pixel") and chosen["to"] == "thousands":
        return False
    if chosen["shape"] == "one pixel" and chosen["layout"] not in ("contiguous", "offset"):
        return False
    return chosen["to"] not in ("one", "none") or chosen["grid_layout"] == "contiguous"


def _rows_first(input, grid, **options):
    return grid_sample(input, grid.flip(-1), **options)


def _half_coordinates(input, grid, **options):
    return grid_sample(input, grid.half().to(grid.dtype), **options)


def _border_for_reflection(input, grid, padding_mode="zeros", **options):
    seen = "border" if padding_mode == "reflection" else padding_mode
    return grid_sample(input, grid, padding_mode=seen, **options)


def _mirrored_once(input, grid, padding_mode="zeros", **options):
    near = grid.clamp(-3, 3) if padding_mode == "reflection" else grid
    return grid_sample(input, near, padding_mode=padding_mode, **options)


def _halves_up(input, grid, mode="bilinear", align_corners=False, **options):
    """A little to the right of every tie."""
    sizes = torch.tensor(input.shape[:1:-1], device=grid.device)
    moved = grid.float() + (1e-4 / sizes if mode == "nearest" else 0)
    options |= {"mode": mode, "align_corners": align_corners}
    return grid_sample(input.float(), moved, **options).to(input.dtype)


def _without(name):
    return lambda *args, **options: grid_sample(
        *args, **{key: value for key, value in options.items() if key != name}
    )


TASK = Task(
    reference=grid_sample,
    eager=torch.nn.functional.grid_sample,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=rounding),
    space=Space(
        (
            argument("mode", not_given=None, nearest="nearest", bilinear="bilinear"),
            argument(
                "padding_mode",
                not_given=None,
                border="border",
                reflection="reflection",
                zeros="zeros",
            ),
            argument("align_corners", not_given=None, yes=True, no=False),
            axes.values(
                (
                    "ties",
                    "far outside",
                )
            ),
            Axis("shape", SHAPES),
            Axis("to", PLACES),
            axes.dtypes(FLOATS, (torch.bfloat16,)),
            axes.layouts(),
            axes.layouts("grid_layout", ("transposed", "strided", "expanded")),
        ),
        valid=_is_valid,
        corners=(
            {"align_corners": "yes"},
            {"padding_mode": "reflection", "dtype": "float16"},
            {"padding_mode": "reflection", "values": "far outside", "align_corners": "yes"},
            {"shape": "volume", "padding_mode": "border", "align_corners": "yes"},
            {"shape": "volume", "padding_mode": "reflection", "values": "far outside"},
            {"mode": "nearest", "values": "ties"},
            {"mode": "nearest", "values": "ties", "align_corners": "yes", "padding_mode": "border"},
            {"layout": "transposed", "grid_layout": "transposed"},
            {"layout": "strided", "grid_layout": "strided"},
            {"to": "none"},
        ),
    ),
    promises=(
        Promise(
            "Output and grid have the dtype of input; 16-bit inputs are computed in float32, "
            "coordinates too, and rounded once.",
            "dtype",
            ("float16", "bfloat16"),
            Mutant(
                "16-bit inputs answered in float32",
                lambda input, grid, **options: grid_sample(input.float(), grid.float(), **options),
            ),
        ),
        may_be_empty(grid_sample, "The output may be empty.", "to", "none"),
        input_strides(grid_sample, "input and grid may have any strides."),
    ),
    timings=(
        case(shape=(16, 3, 1024, 1024), to=(512, 512), dtype=torch.float32)
        + case(shape=(8, 3, 1021, 1023), to=(517, 613), dtype=torch.float32)
        + case(
            shape=(8, 16, 512, 512),
            to=(512, 512),
            dtype=torch.float16,
            padding_mode="border",
            align_corners=True,
        )
        + case(
            shape=(2, 8, 96, 96, 96),
            to=(96, 96, 96),
            dtype=torch.float32,
            padding_mode="reflection",
        )
    ),
    mutants=(
        Mutant("mode ignored", _without("mode"), ("mode",)),
        Mutant("padding_mode ignored", _without("padding_mode"), ("padding_mode",)),
        Mutant("border for reflection", _border_for_reflection, ("padding_mode",)),
        Mutant("mirrored once", _mirrored_once, ("padding_mode",)),
        Mutant("align_corners ignored", _without("align_corners"), ("align_corners",)),
        Mutant("grid holds (y, x)", _rows_first, ("grid",)),
        Mutant("coordinates in half", _half_coordinates, ("grid",)),
        Mutant("halves rounded up", _halves_up, ("mode",)),
        wrong.strides_ignored(grid_sample, 1, "grid"),
    ),
    dtypes=FLOATS,
    difficulty=4,
)
