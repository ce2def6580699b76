"""Two-dimensional convolution (cross-correlation) with zero padding and groups.

out[n, o, y, x] = bias[o] + sum_{c, i, j} weight[o, c, i, j]
                  * input[n, c0 + c, y * sH + i * dH - pH, x * sW + j * dW - pW]
with zeros outside the image and c0 the first input channel of o's group: the channels of input and
of output are cut into `groups` equal runs, and the g-th run of output sees the g-th run of input.
input (N, Cin, H, W), weight (Cout, Cin/groups, kH, kW), bias (Cout,) or None, all of one dtype.
stride, padding and dilation are an int or a pair (vertical, horizontal). padding may also be
'valid' (none) or, with stride 1, 'same': dH * (kH - 1) rows are added in all, half of them above
(rounded down) and the rest below, columns alike: the output has the size of the input. Otherwise
its height is floor((H + 2 * pH - dH * (kH - 1) - 1) / sH) + 1, its width alike.
Output in the dtype of input; products of 16-bit inputs are summed in float32, the bias is added
there, and the result is rounded once.
"""

import math
import random
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Task, argument, call, case
from kernelbenchx.spec.families import axes, wrong
from kernelbenchx.spec.families.axes import DEGENERATE, FLOATS, LAYOUT, SCALE, fresh
from kernelbenchx.spec.families.convolution import added, lost_to_tf32, output_size, pair, touched
from kernelbenchx.spec.families.sentences import input_strides, may_be_empty
from kernelbenchx.spec.space import OMITTED, Axis, Fresh, Option, Space

Pair = int | tuple[int, int]
Shape = tuple[int, ...]


def conv2d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: Pair = 1,
    padding: Pair | str = 0,
    dilation: Pair = 1,
    groups: int = 1,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    x = input.to(wide)
    if isinstance(padding, str):
        (top, bottom), (left, right) = added(weight, padding, dilation)
        x, padding = torch.nn.functional.pad(x, (left, right, top, bottom)), 0
    b = None if bias is None else bias.to(wide)
    out = torch.nn.functional.conv2d(x, weight.to(wide), b, stride, padding, dilation, groups)
    return out.to(input.dtype)


def inputs(
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
    if values in PLANTED:
        x = draw.planted(x, PLANTED[values])
    shape = (kernel[0], image[1] // groups, *kernel[1:])
    w = draw.normal(shape, grain).to(dtype) * scale
    b = draw.laid_out(draw.normal(kernel[:1], dtype, 3.0), bias) if bias else None
    more = options if groups == 1 else {**options, "groups": groups}
    return call(_laid_out(draw, x, layout), _laid_out(draw, w, weight_layout), b, **more)


def _laid_out(draw: Draw, x: torch.Tensor, layout: str) -> torch.Tensor:
    if layout == "channels last":
        return x.contiguous(memory_format=torch.channels_last)
    return draw.laid_out(x, layout)


def cost(image: Shape, kernel: Shape, dtype: torch.dtype, **rest: Any) -> Cost:
    weight = torch.empty((kernel[0], image[1] // rest.get("groups", 1), *kernel[1:]), device="meta")
    geometry = {name: rest[name] for name in ("stride", "padding", "dilation") if name in rest}
    height, width = output_size(image[2:], weight, **geometry)
    outputs = image[0] * kernel[0] * height * width
    read = math.prod(image[:2]) * touched(image[2:], weight, dtype.itemsize, **geometry)
    moved = read + weight.numel() + outputs + kernel[0] * bool(rest.get("bias", True))
    return Cost(flops=2 * outputs * math.prod(weight.shape[1:]), bytes=moved * dtype.itemsize)


def rounding(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, **options: Any
) -> torch.Tensor:
    """What TF32 drops of the operands, and the sum of absolute products with sqrt(terms).

    In units of the roundoff that the contract takes: of float32 where all operands have 16 bits,
    else of TF32, which takes nothing from operands that have no more bits than it has.
    """
    x, w = input.abs(), weight.abs()
    terms = math.sqrt(math.prod(weight.shape[1:]))
    total = terms * conv2d(x, w, None if bias is None else bias.abs(), **options)
    lost = lost_to_tf32(lambda x, w: conv2d(x, w, None, **options), x, w)
    return total if lost is None else total * 2.0**-13 + lost * 2.0**10


def _image(chance: random.Random, before: Mapping[str, Any], many: str = "") -> Shape:
    """As large as the kernel needs, and some more."""
    groups, (_, *taps) = before.get("groups", 1), before["kernel"]
    gaps = pair(before.get("dilation", 1))
    extents = [gap * (size - 1) + 1 for size, gap in zip(taps, gaps, strict=True)]
    each = 1 if groups > 3 else chance.randrange(1, 5)  # depthwise, or several for each group
    if many == "channels":
        channels = 17_000 // math.prod(taps) // groups * groups
        return (1, channels, *(extent + chance.randrange(2) for extent in extents))
    low, high = (60, 75) if many == "pixels" else (2, 12)
    return (
        chance.randrange(1, 4) if not many else 1,
        groups * (1 if many else each),
        *(extent + chance.randrange(low, high) for extent in extents),
    )


def _kernel(chance: random.Random, before: Mapping[str, Any], *sizes: int) -> Shape:
    return (before.get("groups", 1) * chance.choice((1, 2, 3, 9)), *sizes)


PLANTED = {"mixed": (0.0, 1e3, -1e3, 1e-3), "special": (math.nan, math.inf, -math.inf)}
GROUPS = (
    Option("not given", OMITTED),
    Option("several", fresh(lambda c: c.choice((2, 3)))),
    Option("depthwise", fresh(lambda c: c.choice((4, 5)))),
)
KERNELS = (
    Option("square", Fresh(lambda c, before: _kernel(c, before, 3, 3))),
    Option("one tap", Fresh(lambda c, before: _kernel(c, before, 1, 1))),
    Option(
        "oblong", Fresh(lambda c, before: _kernel(c, before, *c.choice(((5, 2), (1, 4), (3, 2)))))
    ),
    Option("large", Fresh(lambda c, before: _kernel(c, before, 7, 6))),
)
IMAGES = (
    Option("small", Fresh(_image)),
    Option("one pixel", Fresh(lambda _, before: (1, before.get("groups", 1), 1, 1)), DEGENERATE),
    Option("none", Fresh(lambda c, before: (0, *_image(c, before)[1:])), DEGENERATE),
    Option("many channels", Fresh(lambda c, before: _image(c, before, "channels")), SCALE),
    Option("many pixels", Fresh(lambda c, before: _image(c, before, "pixels")), SCALE),
)
BIASES = (
    Option("contiguous", "contiguous"),
    Option("none", ""),
    Option("strided", "strided", LAYOUT),
    Option("expanded", "expanded", LAYOUT),
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


def _without(name):
    def answer(input, weight, bias=None, **options):
        options.pop(name, None)
        return conv2d(input, weight, None if name == "bias" else bias, **options)

    return answer


def _one_group(input, weight, bias=None, groups=1, **options):
    return conv2d(input[:, : input.shape[1] // groups], weight, bias, **options)


def _bias_of_the_group(input, weight, bias=None, groups=1, **options):
    if bias is not None:
        bias = bias[: bias.numel() // groups].repeat(groups)
    return conv2d(input, weight, bias, groups=groups, **options)


def _bf16_operands(input, weight, bias=None, **options):
    x, w = (one.bfloat16().to(one.dtype) for one in (input, weight))
    return conv2d(x, w, bias, **options)


def _swapped_pairs(*args, **options):
    pairs = {name: value[::-1] for name, value in options.items() if isinstance(value, tuple)}
    return conv2d(*args, **options | pairs)


def _more_above(input, weight, bias=None, padding=0, dilation=1, **options):
    if padding != "same":
        return conv2d(input, weight, bias, padding=padding, dilation=dilation, **options)
    (top, bottom), (left, right) = added(weight, padding, dilation)
    x = torch.nn.functional.pad(input, (right, left, bottom, top))
    return conv2d(x, weight, bias, dilation=dilation, **options)


TASK = Task(
    reference=conv2d,
    eager=torch.nn.functional.conv2d,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=rounding, tf32=True),
    space=Space(
        (
            Axis("groups", GROUPS),
            argument("dilation", not_given=None, two=2, pair=(1, 3)),
            argument("stride", not_given=None, two=2, pair=(3, 1)),
            argument(
                "padding", not_given=None, one=1, pair=(0, 2), four=4, same="same", valid="valid"
            ),
            Axis("kernel", KERNELS),
            Axis("image", IMAGES),
            axes.dtypes(FLOATS),
            Axis("bias", BIASES),
            axes.layouts(kinds=(*axes.LAYOUTS, "channels last")),
            axes.layouts("weight_layout", ("transposed", "strided", "channels last")),
            axes.values(
                (
                    "mixed",
                    "fine",
                    "special",
                )
            ),
        ),
        valid=_is_valid,
        corners=(
            {"padding": "one"},
            {"dtype": "float16", "stride": "two", "kernel": "one tap", "bias": "none"},
            {"dtype": "bfloat16", "groups": "several", "padding": "pair", "dilation": "pair"},
            {"groups": "depthwise", "kernel": "oblong", "padding": "same"},
            {"kernel": "oblong", "padding": "same", "dilation": "pair"},
            {"groups": "several", "padding": "four", "stride": "pair", "values": "mixed"},
            {"values": "fine"},
            {"layout": "channels last", "weight_layout": "strided", "bias": "strided"},
            {"image": "none"},
        ),
        calls=28,
    ),
    promises=(
        input_strides(conv2d, "All tensors may have any strides."),
        may_be_empty(conv2d, "N may be 0.", "image", "none"),
    ),
    timings=(
        case(image=(32, 64, 56, 56), kernel=(64, 3, 3), dtype=torch.float32, padding=1)
        + case(image=(31, 63, 55, 53), kernel=(67, 3, 3), dtype=torch.float32, padding=1)
        + case(image=(32, 256, 56, 56), kernel=(512, 1, 1), dtype=torch.float16, stride=2)
        + case(
            image=(32, 128, 56, 56), kernel=(128, 3, 3), dtype=torch.bfloat16, padding=1, groups=4
        )
    ),
    mutants=(
        Mutant("bias ignored", _without("bias"), ("bias", "W-ARG")),
        Mutant("bias by channel in the group", _bias_of_the_group, ("bias",)),
        Mutant("first group only", _one_group, ("groups", "W-ARG")),
        Mutant("stride ignored", _without("stride"), ("stride",)),
        Mutant("padding ignored", _without("padding"), ("padding",)),
        Mutant("dilation ignored", _without("dilation"), ("dilation",)),
        Mutant("pairs taken as horizontal, vertical", _swapped_pairs, ("stride", "padding")),
        Mutant("'same' with more above", _more_above, ("padding",)),
        Mutant(
            "kernel flipped", lambda x, w, *b, **o: conv2d(x, w.flip(2, 3), *b, **o), ("weight",)
        ),
        Mutant("bfloat16 operands", _bf16_operands, ("input", "weight")),
        wrong.strides_ignored(conv2d, 1, "weight"),
        wrong.strides_ignored(conv2d, 2, "bias"),
    ),
    dtypes=FLOATS,
    difficulty=4,
    audit=("W-ARG",),
)
