"""Tasks that convolve images with kernels, in two dimensions, with groups."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import axes, mistakes
from kernelbenchx.spec.families.axes import DEGENERATE, FLOATS, LAYOUT, SCALE, argument, fresh
from kernelbenchx.spec.families.standard_promises import input_strides, may_be_empty
from kernelbenchx.spec.families.windows2d import count_pixels_read, lost_to_tf32, output_size, pair
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, FreshValue, Option, Space
from kernelbenchx.spec.task import Task
from kernelbenchx.spec.tiles import SMALL_TILE, STEP

Function = Callable[..., Any]
Shape = tuple[int, ...]
_GEOMETRY = ("stride", "padding", "dilation")


def convolution(
    function: Function,
    *,
    corners: Sequence[Mapping[str, str]] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(input, weight, bias, stride, ...)` is the reference.

    It sums in float32 at least. `corners` follow those of every convolution. `rest`: fields of
    `Task`.
    """
    fields: dict[str, Any] = {
        "inputs": _inputs,
        "cost": _cost,
        "contract": Close(scale=_Rounding(function), tf32=True),
        "dtypes": FLOATS,
    }
    return Task(
        reference=function,
        space=Space(
            _AXES,
            valid=_is_valid,
            corners=(*_CORNERS, *corners),
            calls=28,
            spans_tiles=_spans_tiles,
        ),
        promises=(
            input_strides(function, "All tensors may have any strides."),
            may_be_empty(function, "N may be 0.", "image", "none"),
            *promises,
        ),
        mutants=(
            *(
                mistakes.ignore_argument(function, name, "W-ARG")
                for name in ("stride", "padding", "dilation")
            ),
            Mutant("bias ignored", _without_bias(function), ("bias", "W-ARG")),
            Mutant("pairs taken as horizontal, vertical", _swap_pairs(function), ("stride",)),
            Mutant("bfloat16 operands", _narrow_operands(function), ("input", "weight")),
            mistakes.strides_ignored(function, 1, "weight"),
            mistakes.strides_ignored(function, 2, "bias"),
            *mutants,
        ),
        **fields | rest,
    )


def _inputs(  # noqa: PLR0913 - a parameter for each axis
    draw: Draw,
    image: Shape,
    kernel: Shape,
    dtype: torch.dtype,
    bias: str = "contiguous",
    groups: int = 1,
    values: str = "",
    layout: str = "contiguous",
    weight_layout: str = "contiguous",
    **options: Any,
) -> Call:
    # Fine: no bits that TF32 would drop, yet too large for 16 bits.
    grain = torch.float16 if values == "fine" else dtype
    scale = 2.0**20 if values == "fine" else 1.0
    x = draw.normal(image, grain).to(dtype) * scale
    if values in _PLANTED:
        x = draw.plant(x, _PLANTED[values])
    shape = (kernel[0], image[1] // groups, *kernel[1:])
    w = draw.normal(shape, grain).to(dtype) * scale
    b = draw.laid_out(draw.normal(kernel[:1], dtype, 3.0), bias) if bias else None
    more = options if groups == 1 else {**options, "groups": groups}
    return call(_laid_out(draw, x, layout), _laid_out(draw, w, weight_layout), b, **more)


def _laid_out(draw: Draw, x: torch.Tensor, layout: str) -> torch.Tensor:
    if layout == "channels last":
        return x.contiguous(memory_format=torch.channels_last)
    return draw.laid_out(x, layout)


def _cost(image: Shape, kernel: Shape, dtype: torch.dtype, **rest: Any) -> Cost:
    weight = torch.empty((kernel[0], image[1] // rest.get("groups", 1), *kernel[1:]), device="meta")
    geometry = {name: rest[name] for name in _GEOMETRY if name in rest}
    height, width = output_size(image[2:], weight, **geometry)
    outputs = image[0] * kernel[0] * height * width
    read = math.prod(image[:2]) * count_pixels_read(image[2:], weight, dtype.itemsize, **geometry)
    moved = read + weight.numel() + outputs + kernel[0] * bool(rest.get("bias", True))
    return Cost(flops=2 * outputs * math.prod(weight.shape[1:]), bytes=moved * dtype.itemsize)


def _spans_tiles(params: Mapping[str, Any]) -> bool:
    """By the result: several small tiles, and pixels that are no whole number of steps."""
    image, kernel = params["image"], params["kernel"]
    weight = torch.empty((kernel[0], 1, *kernel[1:]), device="meta")
    geometry = {name: params[name] for name in _GEOMETRY if name in params}
    pixels = math.prod(output_size(image[2:], weight, **geometry))
    return image[0] * kernel[0] * pixels > SMALL_TILE and pixels % STEP > 0


class _Rounding:
    """What TF32 drops of the operands, and the sum of absolute products with sqrt(terms).

    In units of the roundoff that the contract takes: of float32 where all operands have 16 bits,
    else of TF32, which takes nothing from operands that have no more bits than it has.
    """

    def __init__(self, function: Function) -> None:
        self.function = function

    def __call__(
        self,
        input: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor | None = None,
        **options: Any,
    ) -> torch.Tensor:
        x, w, b = input.abs(), weight.abs(), None if bias is None else bias.abs()
        terms = math.sqrt(math.prod(weight.shape[1:]))
        total: torch.Tensor = terms * self.function(x, w, b, **options)
        lost = lost_to_tf32(lambda x, w: self.function(x, w, None, **options), x, w)
        return total if lost is None else total * 2.0**-13 + lost * 2.0**10


def _image(
    chance: random.Random, before: Mapping[str, Any], *, terms: int = 0, room: int = 0
) -> Shape:
    """As large as the kernel needs, and some more.

    `terms`: channels for so many products in each sum. `room`: about so many outputs each way.
    """
    groups, (_, *taps) = before.get("groups", 1), before["kernel"]
    gaps = pair(before.get("dilation", 1))
    extents = [gap * (size - 1) + 1 for size, gap in zip(taps, gaps, strict=True)]
    each = 1 if groups > 3 else chance.randrange(1, 5)  # depthwise, or several for each group
    if terms:
        channels = terms // math.prod(taps) // groups * groups
        return (1, channels, *(extent + chance.randrange(2) for extent in extents))
    low, high = (room, room + 15) if room else (2, 12)
    return (
        chance.randrange(1, 4) if not room else 1,
        groups * (1 if room else each),
        *(extent + chance.randrange(low, high) for extent in extents),
    )


def _large(**sizes: int) -> FreshValue:
    return FreshValue(lambda chance, before: _image(chance, before, **sizes))


def _kernel(chance: random.Random, before: Mapping[str, Any], *sizes: int) -> Shape:
    return (before.get("groups", 1) * chance.choice((1, 2, 3, 9)), *sizes)


_PLANTED = {"mixed": (0.0, 1e3, -1e3, 1e-3), "special": (math.nan, math.inf, -math.inf)}
_GROUPS = (
    Option("not given", OMITTED),
    Option("several", fresh(lambda c: c.choice((2, 3)))),
    Option("depthwise", fresh(lambda c: c.choice((4, 5)))),
)
_KERNELS = (
    Option("square", FreshValue(lambda c, before: _kernel(c, before, 3, 3))),
    Option("one tap", FreshValue(lambda c, before: _kernel(c, before, 1, 1))),
    Option(
        "oblong",
        FreshValue(lambda c, before: _kernel(c, before, *c.choice(((5, 2), (1, 4), (3, 2))))),
    ),
    Option("large", FreshValue(lambda c, before: _kernel(c, before, 7, 6))),
)
_IMAGES = (
    Option("small", FreshValue(_image)),
    Option(
        "one pixel", FreshValue(lambda _, before: (1, before.get("groups", 1), 1, 1)), DEGENERATE
    ),
    Option("none", FreshValue(lambda c, before: (0, *_image(c, before)[1:])), DEGENERATE),
    Option("many channels", _large(terms=17_000), SCALE, after=_large(terms=2_100)),
    Option("many pixels", _large(room=60), SCALE, after=_large(room=33)),
)
_BIASES = (
    Option("contiguous", "contiguous"),
    Option("none", ""),
    Option("strided", "strided", LAYOUT),
    Option("expanded", "expanded", LAYOUT),
)
_AXES = (
    Axis("groups", _GROUPS),
    argument("dilation", not_given=None, two=2, pair=(1, 3)),
    argument("stride", not_given=None, two=2, pair=(3, 1)),
    argument("padding", not_given=None, one=1, pair=(0, 2), four=4, same="same", valid="valid"),
    Axis("kernel", _KERNELS),
    Axis("image", _IMAGES),
    axes.dtypes(FLOATS),
    Axis("bias", _BIASES),
    axes.layouts(kinds=(*axes.LAYOUTS, "channels last")),
    axes.layouts("weight_layout", ("transposed", "strided", "channels last")),
    axes.values(("mixed", "fine", "special")),
)
_CORNERS = (
    {"padding": "one"},
    {"dtype": "float16", "stride": "two", "kernel": "one tap", "bias": "none"},
    {"dtype": "bfloat16", "groups": "several", "padding": "pair", "dilation": "pair"},
    {"groups": "depthwise", "kernel": "oblong", "padding": "same"},
    {"kernel": "oblong", "padding": "same", "dilation": "pair"},
    {"groups": "several", "padding": "four", "stride": "pair", "values": "mixed"},
    {"values": "fine"},
    {"layout": "channels last", "weight_layout": "strided", "bias": "strided"},
    {"image": "none"},
)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    if chosen["padding"] == "same" and chosen["stride"] != "not given":
        return False
    if chosen["image"] == "one pixel" and chosen["kernel"] != "one tap":
        return False
    if chosen["image"] == "many channels" and chosen["padding"] in ("four", "pair", "same"):
        return False
    flat = chosen["image"] in ("one pixel", "none")
    if flat and (chosen["layout"] not in ("contiguous", "offset") or chosen["values"] == "special"):
        return False
    if chosen["kernel"] == "one tap" and chosen["weight_layout"] == "transposed":
        return False
    return chosen["values"] == "ordinary" or chosen["dtype"] == "float32"


def _without_bias(function: Function) -> Function:
    return lambda input, weight, _bias=None, **options: function(input, weight, None, **options)


def _swap_pairs(function: Function) -> Function:
    def answer(*args: Any, **options: Any) -> Any:
        pairs = {name: value[::-1] for name, value in options.items() if isinstance(value, tuple)}
        return function(*args, **options | pairs)

    return answer


def _narrow_operands(function: Function) -> Function:
    def answer(input: torch.Tensor, weight: torch.Tensor, *rest: Any, **options: Any) -> Any:
        x, w = (one.bfloat16().to(one.dtype) for one in (input, weight))
        return function(x, w, *rest, **options)

    return answer
