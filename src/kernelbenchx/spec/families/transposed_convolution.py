"""Tasks that are the adjoint of a two-dimensional convolution: each pixel spreads a kernel."""

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
from kernelbenchx.spec.families.windows2d import lost_to_tf32, pair
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, FreshValue, Option, Space
from kernelbenchx.spec.task import Task
from kernelbenchx.spec.tiles import SMALL_TILE, STEP

Function = Callable[..., Any]
Shape = tuple[int, ...]
_NAMES = ("stride", "padding", "output_padding", "dilation")


def transposed_convolution(
    function: Function,
    *,
    corners: Sequence[Mapping[str, str]] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(input, weight, bias, stride, padding, output_padding, groups,
    dilation)` is the reference.

    It sums in float32 at least. `rest`: fields of `Task`.
    """
    return Task(
        reference=function,
        inputs=_inputs,
        cost=_cost,
        contract=Close(scale=_TransposedRounding(function), tf32=True),
        dtypes=FLOATS,
        space=Space(
            _AXES, valid=_is_valid, corners=(*_CORNERS, *corners), spans_tiles=_spans_tiles
        ),
        promises=(
            input_strides(function, "All tensors may have any strides."),
            may_be_empty(function, "N may be 0.", "image", "none"),
            *promises,
        ),
        mutants=(
            *(mistakes.ignore_argument(function, name, "W-ARG") for name in _NAMES),
            Mutant("bias ignored", lambda x, w, _b=None, **o: function(x, w, **o), ("bias",)),
            mistakes.strides_ignored(function, 1, "weight"),
            mistakes.strides_ignored(function, 2, "bias"),
            *mutants,
        ),
        **rest,
    )


def _inputs(  # noqa: PLR0913 - a parameter for each axis
    draw: Draw,
    image: Shape,
    kernel: Shape,
    dtype: torch.dtype,
    bias: str = "contiguous",
    values: str = "",
    layout: str = "contiguous",
    weight_layout: str = "contiguous",
    **options: Any,
) -> Call:
    """`kernel`: output channels of a group, height, width."""
    x = draw.normal(image, dtype)
    if values in _PLANTED:
        x = draw.plant(x, _PLANTED[values])
    w = draw.normal((image[1], *kernel), dtype)
    channels = kernel[0] * options.get("groups", 1)
    b = draw.laid_out(draw.normal((channels,), dtype, 3.0), bias) if bias else None
    return call(_laid_out(draw, x, layout), _laid_out(draw, w, weight_layout), b, **options)


def _laid_out(draw: Draw, x: torch.Tensor, layout: str) -> torch.Tensor:
    if layout == "channels last":
        return x.contiguous(memory_format=torch.channels_last)
    return draw.laid_out(x, layout)


def spread_size(image: Shape, kernel: Shape, **how: Any) -> list[int]:
    """Height and width of the output."""
    steps, pads, more, gaps = (
        pair(how.get(name, default)) for name, default in zip(_NAMES, (1, 0, 0, 1), strict=True)
    )
    return [
        (image[d] - 1) * steps[d] - 2 * pads[d] + gaps[d] * (kernel[d] - 1) + more[d] + 1
        for d in (0, 1)
    ]


def _cost(image: Shape, kernel: Shape, dtype: torch.dtype, **how: Any) -> Cost:
    """All products; padding may cut a few of them off, at the edge."""
    outputs = image[0] * kernel[0] * how.get("groups", 1)
    outputs *= math.prod(spread_size(image[2:], kernel[1:], **how))
    weights = image[1] * math.prod(kernel)
    pads = pair(how.get("padding", 0))
    inner = [max(size - 2 * pad, 0) for size, pad in zip(image[2:], pads, strict=True)]
    products = image[0] * math.prod(inner) * weights
    seen = math.prod(image[:2]) * math.prod(inner)
    return Cost(flops=2 * products, bytes=(seen + weights + outputs) * dtype.itemsize)


def _spans_tiles(params: Mapping[str, Any]) -> bool:
    """By the result: several small tiles, and pixels that are no whole number of steps."""
    image, kernel = params["image"], params["kernel"]
    geometry = {name: params[name] for name in _NAMES if name in params}
    pixels = math.prod(spread_size(image[2:], kernel[1:], **geometry))
    images = image[0] * kernel[0] * params.get("groups", 1)
    return images * pixels > SMALL_TILE and pixels % STEP > 0


class _TransposedRounding:
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
        ones = torch.ones_like(x[:1]), torch.ones_like(w)
        terms = self.function(*ones, None, **options).clamp(min=1.0).sqrt()
        total: torch.Tensor = terms[:1] * self.function(x, w, b, **options)
        lost = lost_to_tf32(lambda x, w: self.function(x, w, None, **options), x, w)
        return total if lost is None else total * 2.0**-13 + lost * 2.0**10


def _image(
    chance: random.Random, before: Mapping[str, Any], *, channels: int = 0, room: int = 0
) -> Shape:
    """Large enough for an output that is left by the padding."""
    groups = before.get("groups", 1)
    each = chance.randrange(1, 5) if groups < 4 else 1
    steps, pads = pair(before.get("stride", 1)), pair(before.get("padding", 0))
    sizes = []
    for step, pad in zip(steps, pads, strict=True):
        least = -(-2 * pad // step) + 2
        sizes.append(chance.randrange(least + room, least + room + 6))
    return (1 if room or channels else chance.randrange(1, 3), channels or groups * each, *sizes)


def _output_padding(_: random.Random, before: Mapping[str, Any]) -> Shape:
    """As large as may be."""
    steps, gaps = (pair(before.get(name, 1)) for name in ("stride", "dilation"))
    return max(steps[0], gaps[0]) - 1, max(steps[1], gaps[1]) - 1


def _kernel(*sizes: int) -> FreshValue:
    return fresh(lambda chance: (chance.choice((1, 2, 3, 9)), *sizes))


_PLANTED = {"mixed": (0.0, 1e3, -1e3, 1e-3), "special": (math.nan, math.inf, -math.inf)}
_GROUPS = (
    Option("not given", OMITTED),
    Option("several", fresh(lambda c: c.choice((2, 3)))),
    Option("depthwise", fresh(lambda c: c.choice((4, 5)))),
)
_KERNELS = (
    Option("square", _kernel(3, 3)),
    Option("one tap", _kernel(1, 1)),
    Option("oblong", fresh(lambda c: (c.choice((1, 2, 3)), *c.choice(((5, 2), (1, 4), (4, 3)))))),
    Option("large", _kernel(6, 5)),
)
_IMAGES = (
    Option("small", FreshValue(_image)),
    Option(
        "one pixel", FreshValue(lambda _, before: (1, before.get("groups", 1), 1, 1)), DEGENERATE
    ),
    Option("none", FreshValue(lambda c, before: (0, *_image(c, before)[1:])), DEGENERATE),
    Option("many channels", FreshValue(lambda c, b: _image(c, b, channels=150)), SCALE),
    Option("many pixels", FreshValue(lambda c, b: _image(c, b, room=19)), SCALE),
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
    argument("padding", not_given=None, one=1, pair=(0, 2), four=4),
    Axis(
        "output_padding",
        (
            Option("not given", OMITTED),
            Option("one", 1),
            Option("largest", FreshValue(_output_padding)),
        ),
    ),
    Axis("kernel", _KERNELS),
    Axis("image", _IMAGES),
    axes.dtypes(FLOATS),
    Axis("bias", _BIASES),
    axes.layouts(kinds=(*axes.LAYOUTS, "channels last")),
    axes.layouts("weight_layout", ("transposed", "strided", "channels last")),
    axes.values(("mixed", "special")),
)
_CORNERS = (
    {"stride": "two", "padding": "one", "output_padding": "one"},
    {"dtype": "float16", "kernel": "one tap", "stride": "pair", "bias": "none"},
    {"dtype": "bfloat16", "groups": "several", "padding": "pair", "dilation": "pair"},
    {"groups": "depthwise", "kernel": "oblong", "stride": "pair", "dilation": "pair"},
    {"stride": "two", "dilation": "two", "output_padding": "largest", "kernel": "large"},
    {"stride": "pair", "padding": "four", "values": "mixed"},
    {"layout": "channels last", "weight_layout": "strided", "bias": "strided"},
    {"image": "none"},
)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    if chosen["output_padding"] == "one" and "two" not in (chosen["stride"], chosen["dilation"]):
        return False  # it must be smaller than one of them in both directions
    if chosen["image"] == "one pixel" and chosen["padding"] != "not given":
        return False
    flat = chosen["image"] in ("one pixel", "none")
    if flat and (chosen["layout"] not in ("contiguous", "offset") or chosen["values"] == "special"):
        return False
    if chosen["image"] == "many channels" and chosen["groups"] == "depthwise":
        return False
    if chosen["kernel"] == "one tap" and chosen["weight_layout"] == "transposed":
        return False
    return chosen["values"] == "ordinary" or chosen["dtype"] == "float32"
