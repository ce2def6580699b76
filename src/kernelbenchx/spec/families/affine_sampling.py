"""Tasks that sample images at the places of an affine map, one map for each image."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import axes, mistakes
from kernelbenchx.spec.families.axes import DEGENERATE, DTYPE, SCALE, argument, draw_shape, one_of
from kernelbenchx.spec.families.standard_promises import input_strides
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.memory_traffic import estimate_hit_share, in_a_sector
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, FreshValue, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., Any]
Shape = tuple[int, ...]
SAMPLED = (torch.float32, torch.float16)
_INSIDE = 0.25
"""At least this share of the places of an ordinary map lies inside the image."""


def affine_sampling(
    function: Function,
    *,
    corners: Sequence[Mapping[str, str]] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(input, theta, size, mode, padding_mode, align_corners)` is
    the reference.

    `corners` follow those of every task. `rest`: fields of `Task`.
    """
    return Task(
        reference=function,
        inputs=_inputs,
        cost=_cost,
        contract=Close(scale=moved_by_rounding),
        dtypes=SAMPLED,
        space=Space(_AXES, valid=_is_valid, corners=(*_CORNERS, *corners)),
        promises=(
            Promise(
                "Output in the dtype of input; 16-bit inputs are computed in float32 and rounded "
                "once.",
                "dtype",
                ("float16", "bfloat16"),
                Mutant("16-bit inputs answered in float32", _in_float32(function)),
            ),
            Promise(
                "theta is float32, float16 or int64, whatever the dtype of input; its values are "
                "taken exactly.",
                "theta_dtype",
                ("float16", "int64"),
                Mutant("theta in the dtype of input", _narrow_theta(function), ("theta",)),
            ),
            input_strides(function, "input and theta may have any strides."),
            *promises,
        ),
        mutants=(
            *(
                mistakes.ignore_argument(function, one, "W-ARG")
                for one in ("mode", "padding_mode", "align_corners")
            ),
            mistakes.strides_ignored(function, 1, "theta"),
            *mutants,
        ),
        **rest,
    )


def affine_places(theta: torch.Tensor, size: Sequence[int], aligned: bool) -> torch.Tensor:
    """(N, oH, oW, 2): where each pixel of the output is sampled, x before y."""
    y, x = (_centres(count, aligned, theta) for count in size[2:])
    base = torch.stack((*torch.meshgrid(x, y, indexing="xy"), theta.new_ones(*size[2:])), -1)
    return (base.view(1, -1, 3) @ theta.mT).view(-1, *size[2:], 2)


def _centres(count: int, aligned: bool, like: torch.Tensor) -> torch.Tensor:
    k = torch.arange(count, dtype=like.dtype, device=like.device)
    if aligned:
        return 2 * k / max(count - 1, 1) - int(count > 1)
    return (2 * k + 1) / count - 1


def moved_by_rounding(
    input: torch.Tensor,
    theta: torch.Tensor,
    size: Any,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Any:
    """A coordinate is rounded in units of its terms; that moves the result by a tap or two.

    Cubic weights sum to 1.4 in absolute value along an axis, change by 2.3 for a step of one, and
    come from polynomials whose terms reach 12.
    """
    if mode == "nearest":
        return (None,)
    cubic = mode == "bicubic"
    matrix = theta.double()
    grid = affine_places(matrix, size, align_corners)
    reach = 5 if cubic else 3
    largest = torch.nn.functional.max_pool2d(input.abs(), reach, 1, reach // 2)
    seen = "border" if padding_mode == "zeros" else padding_mode
    taps = torch.nn.functional.grid_sample(largest, grid, "bilinear", seen, align_corners)
    # No place has a coordinate beyond 1: |theta| @ (1, 1, 1) is the largest sum of terms.
    terms = matrix.abs().sum(-1) + 1
    sizes = torch.tensor(input.shape[:1:-1], dtype=torch.float64, device=input.device)
    coordinates = (terms * sizes).sum(-1).view(-1, 1, 1, 1)
    return taps * (12 + 3.2 * coordinates if cubic else 1 + coordinates)


def _inputs(  # noqa: PLR0913 - a parameter for each axis
    draw: Draw,
    shape: Shape,
    to: Shape,
    dtype: torch.dtype,
    theta_dtype: torch.dtype = torch.float32,
    size: str = "",
    values: str = "",
    layout: str = "contiguous",
    theta_layout: str = "contiguous",
    **options: Any,
) -> Call:
    x = draw.plant(draw.normal(shape, dtype), (0.0, 100.0, -100.0))
    if theta_dtype == torch.int64:
        theta = draw.integers((shape[0], 2, 3), -1, 2)
    else:
        aligned = bool(options.get("align_corners", False))
        nearest = options.get("mode") == "nearest"
        theta = _maps(draw, shape, to, values, aligned, nearest).to(theta_dtype)
    sizes = (*shape[:2], *to)
    asked = sizes if size == "tuple" else torch.Size(sizes)
    return call(draw.laid_out(x, layout), draw.laid_out(theta, theta_layout), asked, **options)


def _maps(
    draw: Draw, shape: Shape, to: Shape, values: str, aligned: bool, nearest: bool
) -> torch.Tensor:
    """Turned, scaled and moved; pixel coordinates p = a * j + b * i + c, then as theta."""
    count = shape[0]
    turn = draw.uniform((count,), torch.float64, -math.pi, math.pi)
    wide = 4.0 if values == "far outside" else 1.0
    rows = []
    for axis, size in enumerate(reversed(shape[2:])):
        zoom = draw.uniform((count,), torch.float64, 0.7, 1.3) * wide * size / max(to[1 - axis], 1)
        a, b = (
            (zoom * turn.cos(), -zoom * turn.sin())
            if axis == 0
            else (zoom * turn.sin(), zoom * turn.cos())
        )
        shift = draw.uniform((count,), torch.float64, -0.2, 0.2) * size
        if nearest:  # multiples of 1/4 and an odd multiple of 1/8: no place is near a tie
            a, b = (a * 4).round() / 4, (b * 4).round() / 4
        if values == "ties":
            a, b = a.sign() * 0.5, b * 0
        c = (size - 1) / 2 + shift - a * (to[1] - 1) / 2 - b * (to[0] - 1) / 2
        if nearest:
            c = c.floor() + (0.5 if values == "ties" else 0.125)
        rows.append(_row(a, b, c, size, to, aligned))
    return torch.stack(rows, 1)


def _row(
    a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, size: int, to: Shape, aligned: bool
) -> torch.Tensor:
    """Of theta: the map between coordinates in -1..1 that is this one between pixels."""
    spans = [max(n - 1, 0) if aligned else n for n in (to[1], to[0])]
    center = a * (to[1] - 1) / 2 + b * (to[0] - 1) / 2 + c
    if aligned:
        span = max(size - 1, 1)
        return torch.stack((a * spans[0] / span, b * spans[1] / span, 2 * center / span - 1), -1)
    return torch.stack((a * spans[0] / size, b * spans[1] / size, (2 * center + 1) / size - 1), -1)


def _cost(shape: Shape, to: Shape, dtype: torch.dtype, mode: str = "bilinear", **_: Any) -> Cost:
    """Parts of the image into which no place falls need not be read."""
    places = shape[0] * math.prod(to)
    taps = {"nearest": 1, "bilinear": 4}.get(mode, 16)
    sectors = math.prod(shape[2:]) / min(in_a_sector(dtype.itemsize), shape[-1])
    seen = estimate_hit_share(math.prod(to) * _INSIDE, sectors)
    moved = int(seen * math.prod(shape)) + places * shape[1]
    return Cost(flops=2 * taps * places * shape[1], bytes=moved * dtype.itemsize)


def _shape(chance: random.Random, before: Mapping[str, Any]) -> Shape:
    """For ties: sizes with which the coordinate is exact in any formula."""
    lead = (chance.randrange(1, 4), chance.randrange(1, 4))
    if before.get("values") == "ties":
        return (*lead, chance.choice((5, 9, 17)), chance.choice((5, 9, 17)))
    return (*lead, chance.randrange(3, 18), chance.randrange(3, 18))


def _to(chance: random.Random, before: Mapping[str, Any], least: int, most: int) -> Shape:
    """Below and above a block of places."""
    if before.get("values") == "ties":
        return chance.choice((9, 17)), chance.choice((5, 9, 17))
    return chance.randrange(least, most), chance.randrange(least, most)


_SHAPES = (
    Option("image", FreshValue(_shape)),
    Option("one pixel", one_of((1, 2, 1, 1), (2, 3, 1, 3), (1, 1, 4, 1)), DEGENERATE),
    Option("long row", draw_shape(1, 1, 2, (1100, 1500)), SCALE),
)
_PLACES = (
    Option("hundreds", FreshValue(lambda c, before: _to(c, before, 4, 20))),
    Option("few", FreshValue(lambda c, before: _to(c, before, 2, 5))),
    Option("one", (1, 1), DEGENERATE),
    Option("one column", FreshValue(lambda c, _: (c.randrange(3, 30), 1)), DEGENERATE),
    Option("thousands", FreshValue(lambda c, before: _to(c, before, 50, 55)), SCALE),
)
_AXES = (
    argument("mode", not_given=None, nearest="nearest", bilinear="bilinear", bicubic="bicubic"),
    argument(
        "padding_mode", not_given=None, border="border", reflection="reflection", zeros="zeros"
    ),
    argument("align_corners", not_given=None, yes=True, no=False),
    axes.values(("ties", "far outside")),
    Axis("shape", _SHAPES),
    Axis("to", _PLACES),
    axes.dtypes(SAMPLED, (torch.bfloat16,)),
    Axis(
        "theta_dtype",
        (
            Option("not given", OMITTED),
            Option("float16", torch.float16, DTYPE),
            Option("int64", torch.int64, DTYPE),
        ),
    ),
    argument("size", Size=None, tuple="tuple"),
    axes.layouts(),
    axes.layouts("theta_layout", ("transposed", "strided", "expanded")),
)
_CORNERS = (
    {"align_corners": "yes"},
    {"mode": "bicubic", "dtype": "float16"},
    {"mode": "bicubic", "padding_mode": "reflection", "values": "far outside"},
    {"mode": "bicubic", "padding_mode": "border", "align_corners": "yes"},
    {"padding_mode": "reflection", "values": "far outside", "align_corners": "yes"},
    {"mode": "nearest", "padding_mode": "border"},
    {"mode": "nearest", "values": "ties", "align_corners": "yes"},
    {"mode": "nearest", "values": "ties", "align_corners": "yes", "padding_mode": "reflection"},
    {"layout": "transposed", "theta_layout": "transposed"},
    {"theta_dtype": "int64", "to": "one column", "align_corners": "yes"},
)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    # Ties only with align_corners: otherwise usual formulas for x and y round.
    if chosen["values"] == "ties" and (
        (chosen["mode"], chosen["align_corners"]) != ("nearest", "yes")
        or chosen["shape"] != "image"
        or chosen["to"] not in ("hundreds", "few")
    ):
        return False
    if chosen["theta_dtype"] != "not given" and (
        chosen["mode"] == "nearest" or chosen["values"] != "ordinary"
    ):
        return False  # rounded maps come near ties
    if chosen["shape"] == "one pixel":
        return chosen["to"] != "thousands" and chosen["layout"] in ("contiguous", "offset")
    return True


def _in_float32(function: Function) -> Function:
    return lambda input, *rest, **options: function(input.float(), *rest, **options)


def _narrow_theta(function: Function) -> Function:
    def answer(input: torch.Tensor, theta: torch.Tensor, *rest: Any, **options: Any) -> Any:
        return function(input, theta.to(input.dtype), *rest, **options)

    return answer
