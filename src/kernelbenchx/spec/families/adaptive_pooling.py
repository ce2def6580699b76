"""Tasks that pool planes into as many bins as are asked for, whatever their size."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    FLOATS,
    SCALE,
    Drawn,
    Normal,
    draw_shape,
    dtypes,
    layouts,
    values,
)
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis, Chosen, FreshValue, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., Any]
Shape = tuple[int, ...]
Sizes = int | tuple[int | None, int | None]
Bound = Callable[[int, int, int], int]


def adaptive_pooling(
    function: Function,
    *,
    others: Mapping[str, Drawn],
    valid: Callable[[Chosen], bool] = lambda _chosen: True,
    corners: Sequence[Chosen] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(input, output_size)` is the reference.

    `others`: what the input is filled with, a word for each. `rest`: fields of `Task`.
    """

    def both(chosen: Chosen) -> bool:
        return _is_valid(chosen) and valid(chosen)

    return Task(
        reference=function,
        inputs=_Inputs({"ordinary": Normal(), **others}),
        cost=_cost,
        dtypes=FLOATS,
        space=Space(
            (_SHAPES, _OUTPUTS, dtypes(FLOATS), layouts(), values(others)),
            valid=both,
            corners=(*_CORNERS, *corners),
        ),
        promises=(
            Promise(
                "output_size is an int, which stands for both sizes, or a pair (oH, oW).",
                "output_size",
                ("pair", "int"),
                Mutant("(oW, oH)", _swap_sizes(function), ("output_size",)),
            ),
            Promise(
                "An entry None of the pair keeps the size of input.",
                "output_size",
                ("None first", "None second"),
                Mutant("None taken for 1", _one_for_none(function), ("output_size",)),
            ),
            Promise(
                "The batch dimension may be missing or empty.",
                "shape",
                ("no batch", "empty batch"),
                mistakes.refuses(
                    function, "no batch refused", lambda x, *_: x.dim() < 4 or not x.shape[0]
                ),
            ),
            mistakes.strides_promise(function),
            *promises,
        ),
        mutants=mutants,
        **rest,
    )


def output_sizes(shape: Sequence[int], output_size: Sizes) -> tuple[int, int]:
    """oH and oW."""
    asked = (output_size, output_size) if isinstance(output_size, int) else output_size
    return asked[0] or shape[-2], asked[1] or shape[-1]


def first(i: int, size: int, count: int) -> int:
    """Where bin i of so many begins."""
    return i * size // count


def behind(i: int, size: int, count: int) -> int:
    """Where it ends."""
    return -(-(i + 1) * size // count)


def shares(size: int, count: int, begin: Bound = first, end: Bound = behind) -> torch.Tensor:
    """(count, size): what part each element has in the mean of each bin, in float64."""
    found = torch.zeros(count, size, dtype=torch.float64)
    for i in range(count):
        start, stop = begin(i, size, count), end(i, size, count)
        found[i, start:stop] = 1 / max(stop - start, 1)
    return found


def pool_bins(
    input: torch.Tensor, output_size: Sizes, begin: Bound = first, end: Bound = behind
) -> torch.Tensor:
    """Means over other bins, for wrong answers: two products with matrices."""
    tall, wide = output_sizes(input.shape, output_size)
    down = shares(input.shape[-2], tall, begin, end).to(input.device)
    across = shares(input.shape[-1], wide, begin, end).to(input.device)
    return (down @ input.double() @ across.T).to(input.dtype)


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(self, fills: Mapping[str, Drawn]) -> None:
        self.fills = fills

    def __call__(
        self,
        draw: Draw,
        shape: Shape,
        output_size: Sizes,
        dtype: torch.dtype,
        layout: str = "contiguous",
        values: str = "ordinary",
    ) -> Call:
        x = self.fills[values](draw, shape, dtype)
        return call(draw.laid_out(x, layout), output_size)


def _cost(shape: Shape, output_size: Sizes, dtype: torch.dtype, **_: Any) -> Cost:
    """One read, one write; every element is added at least once."""
    count = math.prod(shape)
    outputs = math.prod(shape[:-2]) * math.prod(output_sizes(shape, output_size))
    return Cost(flops=max(count, outputs), bytes=(count + outputs) * dtype.itemsize)


def _draw_sizes(make: Callable[[random.Random, int, int], Sizes]) -> FreshValue:
    return FreshValue(lambda chance, before: make(chance, *before["shape"][-2:]))


def _fewer(chance: random.Random, size: int) -> int:
    """No divisor of the size where there is another number: bins differ and overlap."""
    uneven = [n for n in range(2, min(size, 90)) if size % n]
    return chance.choice(uneven) if uneven else max(size // 2, 1)


_SHAPES = Axis(
    "shape",
    (
        Option("batch", draw_shape((2, 4), (2, 5), (5, 30), (5, 30))),
        Option("no batch", draw_shape((3, 9), (5, 30), (5, 30))),
        Option("many pixels", draw_shape(1, (1, 3), (90, 120), (60, 90))),
        Option("one pixel", draw_shape((1, 3), (1, 4), 1, 1), DEGENERATE),
        Option("one channel", draw_shape(1, 1, (5, 30), (5, 30)), DEGENERATE),
        Option("empty batch", draw_shape(0, (2, 5), (5, 12), (5, 12)), DEGENERATE),
        Option(
            "long",
            draw_shape(1, 1, (2, 4), (20_000, 30_000)),
            SCALE,
            after=draw_shape(1, 2, 2, (999, 2000)),
        ),
    ),
)
_OUTPUTS = Axis(
    "output_size",
    (
        Option("pair", _draw_sizes(lambda c, h, w: (_fewer(c, h), _fewer(c, w)))),
        Option("int", _draw_sizes(lambda c, h, w: _fewer(c, min(h, w)))),
        Option("one", 1),
        Option("None first", _draw_sizes(lambda c, _, w: (None, _fewer(c, w)))),
        Option("None second", _draw_sizes(lambda c, h, _: (_fewer(c, h), None))),
        Option(
            "larger",
            _draw_sizes(lambda c, h, w: (h + c.randrange(1, h + 3), w + c.randrange(1, 9))),
        ),
        Option("divisors", _draw_sizes(lambda _, h, w: (max(h // 2, 1), max(w // 4, 1)))),
    ),
)
_CORNERS: tuple[Chosen, ...] = (
    {},
    {"dtype": "float16", "output_size": "one"},
    {"dtype": "bfloat16", "output_size": "larger"},
    {"shape": "no batch", "output_size": "None first"},
    {"shape": "no batch", "layout": "transposed", "output_size": "None second"},
    {"shape": "many pixels", "output_size": "int"},
    {"shape": "empty batch"},
    {"values": "special"},
)


def _is_valid(chosen: Chosen) -> bool:
    if chosen["shape"] == "long" and chosen["output_size"] in ("larger", "None second"):
        return False
    flat = chosen["shape"] in ("one pixel", "empty batch")
    return not flat or chosen["layout"] in ("contiguous", "offset")


def _swap_sizes(function: Function) -> Function:
    def answer(input: torch.Tensor, output_size: Sizes) -> Any:
        tall, wide = output_sizes(input.shape, output_size)
        return function(input, (wide, tall)).reshape(*input.shape[:-2], tall, wide)

    return answer


def _one_for_none(function: Function) -> Function:
    def answer(input: torch.Tensor, output_size: Sizes) -> Any:
        sizes = output_sizes(input.shape, output_size)
        if isinstance(output_size, tuple):
            mean = function(input, tuple(one or 1 for one in output_size))
            return mean.expand(*input.shape[:-2], *sizes).contiguous()
        return function(input, output_size)

    return answer
