"""Two-dimensional convolution (cross-correlation) with zero padding and groups.

out[n, o, y, x] = bias[o] + sum_{c, i, j} weight[o, c, i, j]
                  * input[n, c0 + c, y * sH + i * dH - pH, x * sW + j * dW - pW]
with zeros outside the image and c0 the first input channel of o's group: the channels of input and
of output are cut into `groups` equal runs, and the g-th run of output sees the g-th run of input.
input (N, Cin, H, W), weight (Cout, Cin/groups, kH, kW), bias (Cout,) or None, all of one dtype.
stride, padding and dilation are an int or a pair (vertical, horizontal). padding may also be
'valid' (none) or, with stride 1, 'same': dH * (kH - 1) rows are added in all, half of them above
(rounded down) and the rest below, columns alike: the output has the size of the input. Otherwise
its height is floor((H + 2 * pH - dH * (kH - 1) - 1) / sH) + 1, its width alike. N may be 0.
Output in the dtype of input; products of 16-bit inputs are summed in float32, the bias is added
there, and the result is rounded once.
"""

import math
from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.traffic import along, windows

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
F32 = torch.float32
Pair = int | tuple[int, int]
Shape = tuple[int, ...]
ODD = {"stride": ((2, 1),), "padding": ((0, 2),), "dilation": ((1, 3),), "groups": (2,)}
LAID_OUT = {"layout": ("transposed", "strided"), "padding": (1,)}


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
        (top, bottom), (left, right) = _added(weight, padding, dilation)
        x, padding = torch.nn.functional.pad(x, (left, right, top, bottom)), 0
    b = None if bias is None else bias.to(wide)
    out = torch.nn.functional.conv2d(x, weight.to(wide), b, stride, padding, dilation, groups)
    return out.to(input.dtype)


def _pair(value: Any) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else (value[0], value[1])


def _added(weight: torch.Tensor, padding: Any, dilation: Any) -> tuple[tuple[int, int], ...]:
    """Rows above and below, columns left and right."""
    if padding == "valid":
        return (0, 0), (0, 0)
    if padding == "same":
        sizes = zip(weight.shape[2:], _pair(dilation), strict=True)
        extents = [step * (size - 1) for size, step in sizes]
        return tuple((extent // 2, extent - extent // 2) for extent in extents)
    return tuple((amount, amount) for amount in _pair(padding))


def inputs(
    draw: Draw,
    image: Shape,
    kernel: Shape,
    dtype: torch.dtype,
    bias: bool = True,
    groups: int = 1,
    grain: torch.dtype | None = None,
    layout: str = "contiguous",
    **options: Any,
) -> Call:
    channels, height, width = kernel
    shape = (channels, image[1] // groups, height, width)
    x, w = draw.normal(image, grain or dtype), draw.normal(shape, grain or dtype)
    if grain is not None:  # no bits that TF32 would drop, yet too large for 16 bits
        x, w = x.to(dtype) * 2.0**20, w.to(dtype) * 2.0**20
    else:
        x = draw.planted(x, (0.0, 1e3, -1e3, 1e-3))
    b = draw.normal((channels,), dtype, 3.0) if bias else None
    more = options if groups == 1 else {**options, "groups": groups}
    return call(draw.laid_out(x, layout), draw.laid_out(w, layout), b, **more)


def cost(image: Shape, kernel: Shape, dtype: torch.dtype, **rest: Any) -> Cost:
    weight = torch.empty((kernel[0], image[1] // rest.get("groups", 1), *kernel[1:]), device="meta")
    geometry = {name: rest[name] for name in ("stride", "padding", "dilation") if name in rest}
    height, width = _size(image[2:], weight, **geometry)
    outputs = image[0] * kernel[0] * height * width
    read = math.prod(image[:2]) * _touched(image[2:], weight, dtype.itemsize, **geometry)
    moved = read + weight.numel() + outputs + kernel[0] * rest.get("bias", True)
    return Cost(flops=2 * outputs * math.prod(weight.shape[1:]), bytes=moved * dtype.itemsize)


def _touched(image: Any, weight: torch.Tensor, itemsize: int, **geometry: Any) -> int:
    """Pixels of a channel that are read: a stride may step over some."""
    steps, gaps = (_pair(geometry.get(name, 1)) for name in ("stride", "dilation"))
    added = _added(weight, geometry.get("padding", 0), gaps)
    size, taps = _size(image, weight, **geometry), weight.shape[2:]
    rows, columns = (
        windows(image[d], size[d], added[d][0], steps[d], taps[d], gaps[d]) for d in (0, 1)
    )
    return len(rows) * along(columns, itemsize)


def _size(
    image: Any, weight: torch.Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1
) -> list[int]:
    """Height and width of the output."""
    added, steps, gaps = _added(weight, padding, dilation), _pair(stride), _pair(dilation)
    return [
        (image[d] + sum(added[d]) - gaps[d] * (weight.shape[2 + d] - 1) - 1) // steps[d] + 1
        for d in (0, 1)
    ]


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
    if any(_fits((x, w), dtype) for dtype in (torch.float16, torch.bfloat16)):
        return total
    dx, dw = _dropped(x), _dropped(w)
    lost = conv2d(dx, w + dw, None, **options) + conv2d(x, dw, None, **options)
    return total * 2.0**-13 + lost * 2.0**10


def _fits(tensors: tuple[torch.Tensor, ...], dtype: torch.dtype) -> bool:
    return all(torch.equal(tensor.to(dtype).double(), tensor) for tensor in tensors)


def _dropped(x: torch.Tensor) -> torch.Tensor:
    """How much smaller float32 values become without the 13 bits that TF32 does not have."""
    return x - (x.float().view(torch.int32) & ~0x1FFF).view(torch.float32).double()


def _without(name: str) -> Callable[..., torch.Tensor]:
    """The answer of someone who never looks at one argument."""

    def answer(input: torch.Tensor, weight: torch.Tensor, bias: Any, **options: Any) -> Any:
        options.pop(name, None)
        return conv2d(input, weight, None if name == "bias" else bias, **options)

    return answer


def _one_group(input: torch.Tensor, weight: torch.Tensor, bias: Any, **options: Any) -> Any:
    """Every output channel sees the first group only."""
    count = options.pop("groups", 1)
    return conv2d(input[:, : input.shape[1] // count], weight, bias, **options)


def _flipped(input: torch.Tensor, weight: torch.Tensor, bias: Any, **options: Any) -> Any:
    return conv2d(input, weight.flip(2, 3), bias, **options)


def _bf16_operands(input: torch.Tensor, weight: torch.Tensor, bias: Any, **options: Any) -> Any:
    x, w = (tensor.bfloat16().to(tensor.dtype) for tensor in (input, weight))
    return conv2d(x, w, bias, **options)


def _swapped_pairs(*args: Any, **options: Any) -> Any:
    pairs = {name: value[::-1] for name, value in options.items() if isinstance(value, tuple)}
    return conv2d(*args, **{**options, **pairs})


TASK = Task(
    reference=conv2d,
    eager=torch.nn.functional.conv2d,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=rounding, tf32=True),
    checks=(
        # 2 * 9 * 11 pixels and 5 * 9 terms: tiles of 64 and 32 with tails.
        grid(image=((2, 5, 9, 11),), kernel=((7, 3, 3),), dtype=FLOATS, padding=(1,))
        + grid(image=((2, 6, 13, 10),), kernel=((8, 3, 2),), dtype=FLOATS, **ODD)
        + case(image=(1, 4, 12, 7), kernel=(35, 1, 1), dtype=F32, bias=False)
        + case(image=(1, 4, 9, 9), kernel=(4, 5, 3), dtype=F32, groups=4, padding="same")
        + case(image=(2, 3, 8, 6), kernel=(4, 2, 4), dtype=F32, padding="same", dilation=(1, 3))
        + case(image=(1, 3, 8, 9), kernel=(2, 3, 2), dtype=F32, padding="valid", stride=3)
        + case(image=(1, 2, 7, 7), kernel=(3, 3, 3), dtype=F32, padding=4, dilation=(2, 1))
        # Nothing that TF32 could drop: what is lost here was lost elsewhere.
        + case(image=(2, 7, 8, 8), kernel=(5, 3, 3), dtype=F32, grain=torch.float16)
        + grid(image=((1, 3, 6, 8),), kernel=((4, 3, 3),), dtype=(F32,), **LAID_OUT)
        + case(image=(1, 1, 1, 1), kernel=(1, 1, 1), dtype=F32)
        + case(image=(0, 2, 5, 5), kernel=(3, 3, 3), dtype=F32)
    ),
    timings=(
        case(image=(32, 64, 56, 56), kernel=(64, 3, 3), dtype=F32, padding=1)
        + case(image=(32, 256, 56, 56), kernel=(512, 1, 1), dtype=torch.float16, stride=2)
        + case(
            image=(32, 128, 56, 56), kernel=(128, 3, 3), dtype=torch.bfloat16, padding=1, groups=4
        )
    ),
    mutants=(
        Mutant("bias ignored", _without("bias"), ("bias", "W-ARG")),
        Mutant("first group only", _one_group, ("groups", "W-ARG")),
        Mutant("stride ignored", _without("stride"), ("stride",)),
        Mutant("padding ignored", _without("padding"), ("padding",)),
        Mutant("dilation ignored", _without("dilation"), ("dilation",)),
        Mutant("pairs taken as horizontal, vertical", _swapped_pairs, ("stride", "padding")),
        Mutant("kernel flipped", _flipped, ("weight",)),
        Mutant("bfloat16 operands", _bf16_operands, ("input", "weight")),
        Patch("first terms only", "range(0, terms, DEPTH)", "range(0, DEPTH, DEPTH)"),
        Patch("wraps around", "(column >= 0) & (column < width)", "(place >= 0)", ("padding",)),
        Patch(
            "'same' with more above",
            "(extent // 2, extent - extent // 2)",
            "(extent - extent // 2, extent // 2)",
            ("padding",),
        ),
        Patch("bias by channel in the group", "tl.load(b + full", "tl.load(b + o", ("bias",)),
        Patch(
            "sums in half",
            'total, input_precision="ieee")',
            'total, input_precision="ieee").to(tl.float16).to(tl.float32)',
        ),
    ),
    dtypes=FLOATS,
    difficulty=4,
    audit=("W-ARG",),
)
