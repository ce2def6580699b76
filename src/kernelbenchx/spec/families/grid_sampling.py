"""Tasks that sample images and volumes at places between their pixels."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import axes, mistakes
from kernelbenchx.spec.families.axes import DEGENERATE, SCALE, argument, draw_shape, one_of
from kernelbenchx.spec.families.standard_promises import input_strides, may_be_empty
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.memory_traffic import estimate_hit_share, in_a_sector
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis, FreshValue, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., Any]
Shape = tuple[int, ...]
SAMPLED = (torch.float32, torch.float16)
_BEYOND = {"far outside": 2.5}
"""How far places may lie outside, in sizes of the image; 0.4 otherwise."""


def sampling(
    function: Function,
    *,
    corners: Sequence[Mapping[str, str]] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(input, grid, mode, padding_mode, align_corners)` is the
    reference.

    `corners` follow those of every task that samples. `rest`: fields of `Task`.
    """
    fields: dict[str, Any] = {
        "inputs": _inputs,
        "cost": _cost,
        "contract": Close(scale=moved_by_rounding),
        "dtypes": SAMPLED,
    }
    return Task(
        reference=function,
        space=Space(_AXES, valid=_is_valid, corners=(*_CORNERS, *corners)),
        promises=(
            Promise(
                "Output and grid have the dtype of input; 16-bit inputs are computed in float32, "
                "coordinates too, and rounded once.",
                "dtype",
                ("float16", "bfloat16"),
                Mutant("16-bit inputs answered in float32", _in_float32(function)),
            ),
            may_be_empty(function, "The output may be empty.", "to", "none"),
            input_strides(function, "input and grid may have any strides."),
            *promises,
        ),
        mutants=(
            *(
                mistakes.ignore_argument(function, one)
                for one in ("mode", "padding_mode", "align_corners")
            ),
            Mutant("border for reflection", _border_for_reflection(function), ("padding_mode",)),
            Mutant("halves rounded up", _halves_up(function), ("mode",)),
            Mutant("coordinates in half", _half_coordinates(function), ("grid",)),
            mistakes.strides_ignored(function, 1, "grid"),
            *mutants,
        ),
        **fields | rest,
    )


def grid_values(p: torch.Tensor, size: int, aligned: bool) -> torch.Tensor:
    """What names the pixel coordinates `p` along an axis of that size."""
    return 2 * p / max(size - 1, 1) - 1 if aligned else (2 * p + 1) / size - 1


def moved_by_rounding(
    input: torch.Tensor,
    grid: torch.Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Any:
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


def _inputs(  # noqa: PLR0913 - a parameter for each axis
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
    x = draw.plant(draw.normal(shape, dtype), (0.0, 100.0, -100.0))
    lines = []
    for size in reversed(shape[2:]):
        # Whole pixels and a part of one: rounding must not decide which pixel is the nearest.
        part = 0.4 if nearest else 0.5
        beyond = math.ceil(_BEYOND.get(values, 0.4) * size)
        p = draw.integers((shape[0], *to), -beyond, size + beyond).double()
        p = p + (0.5 if values == "ties" else draw.uniform(p.shape, torch.float64, -part, part))
        lines.append(grid_values(p, size, options.get("align_corners", False)))
    places = torch.stack(lines, -1).to(dtype)
    if not nearest:
        places = draw.plant(places, (-1.0, 1.0, 0.0, 7.0))
    return call(draw.laid_out(x, layout), draw.laid_out(places, grid_layout), **options)


def _cost(shape: Shape, to: Shape, dtype: torch.dtype, mode: str = "bilinear", **how: Any) -> Cost:
    """Parts of the image into which no place falls need not be read; places outside read none."""
    outside = _BEYOND.get(how.get("values", ""), 0.4)
    places = shape[0] * math.prod(to)
    taps = 1 if mode == "nearest" else 2 ** len(to)
    inside = math.prod((size - 1) / (size + 2 * math.ceil(outside * size)) for size in shape[2:])
    sectors = math.prod(shape[2:]) / min(in_a_sector(dtype.itemsize), shape[-1])
    # Two taps side by side are taken to lie in one sector.
    seen = estimate_hit_share(math.prod(to) * inside * max(taps // 2, 1), sectors)
    moved = int(seen * math.prod(shape)) + places * (len(to) + shape[1])
    return Cost(flops=2 * taps * places * shape[1], bytes=moved * dtype.itemsize)


def _shape(chance: random.Random, before: Mapping[str, Any], dims: int) -> Shape:
    """For ties: sizes with which the coordinate is exact in any formula."""
    lead = (chance.randrange(1, 4), chance.randrange(1, 4))
    if before.get("values") == "ties":
        one = bool(before.get("align_corners"))
        sizes = (4, 8, 16) if dims == 2 else (2, 4)
        return (*lead, *(chance.choice(sizes) + one for _ in range(dims)))
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


_SHAPES = (
    Option("image", FreshValue(lambda c, before: _shape(c, before, 2))),
    Option("volume", FreshValue(lambda c, before: _shape(c, before, 3))),
    Option("one pixel", one_of((1, 2, 1, 1), (1, 3, 1, 3), (1, 1, 1, 1, 1)), DEGENERATE),
    Option("long row", draw_shape(1, 1, 2, (4100, 5000)), SCALE),
)
_PLACES = (
    Option("hundreds", FreshValue(lambda c, before: _to(c, before, 4, 19))),
    Option("few", FreshValue(lambda c, before: _to(c, before, 2, 4))),
    Option("one", FreshValue(lambda c, before: _to(c, before, 1, 1)), DEGENERATE),
    Option("none", FreshValue(_nothing), DEGENERATE),
    Option("thousands", FreshValue(lambda c, before: _to(c, before, 70, 75)), SCALE),
)
_AXES = (
    argument("mode", not_given=None, nearest="nearest", bilinear="bilinear"),
    argument(
        "padding_mode", not_given=None, border="border", reflection="reflection", zeros="zeros"
    ),
    argument("align_corners", not_given=None, yes=True, no=False),
    axes.values(("ties", "far outside")),
    Axis("shape", _SHAPES),
    Axis("to", _PLACES),
    axes.dtypes(SAMPLED, (torch.bfloat16,)),
    axes.layouts(),
    axes.layouts("grid_layout", ("transposed", "strided", "expanded")),
)
_CORNERS = (
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


def _in_float32(function: Function) -> Function:
    return lambda input, grid, **options: function(input.float(), grid.float(), **options)


def _half_coordinates(function: Function) -> Function:
    return lambda input, grid, **options: function(input, grid.half().to(grid.dtype), **options)


def _border_for_reflection(function: Function) -> Function:
    def answer(*args: Any, padding_mode: str = "zeros", **options: Any) -> Any:
        seen = "border" if padding_mode == "reflection" else padding_mode
        return function(*args, padding_mode=seen, **options)

    return answer


def _halves_up(function: Function) -> Function:
    """A little to the right of every tie."""

    def answer(
        input: torch.Tensor, grid: torch.Tensor, mode: str = "bilinear", **options: Any
    ) -> Any:
        sizes = torch.tensor(input.shape[:1:-1], device=grid.device)
        moved = grid.float() + (1e-4 / sizes if mode == "nearest" else 0)
        return function(input.float(), moved, mode=mode, **options).to(input.dtype)

    return answer
