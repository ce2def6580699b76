"""Tasks on two tensors of vectors, x1 and x2, of which the second broadcasts to the first."""

import math
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
    argument,
    draw_shape,
    dtypes,
    layouts,
    values,
)
from kernelbenchx.spec.families.standard_promises import any_strides
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.shapes import broadcast
from kernelbenchx.spec.space import Axis, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Shape = tuple[int, ...]
_SIZES = {"small": 1e-3, "large": 100.0}
_KINDS = (*_SIZES, "equal", "identical", "zero", "special")
_LAYOUTS = (
    layouts("layout", ("transposed", "strided", "padded rows", "offset", "expanded")),
    layouts("other_layout", ("transposed", "strided", "padded rows", "offset")),
)


def vector_pairs(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    dim: Axis,
    arguments: Sequence[Axis],
    results: Callable[..., int],
    valid: Callable[[Mapping[str, str]], bool],
    flops: int,
    corners: Sequence[Mapping[str, str]] = (),
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(x1, x2, ...)` is the reference.

    `dim`: the axis of the dimension that is asked for, with the option "last". `results`:
    how many elements a result has, from the parameters of a case. `valid`: which choices go
    together, beside what the family knows. `rest`: fields of `Task`.
    """
    axes = (
        pair_shapes(),
        dim,
        dtypes(FLOATS),
        *_LAYOUTS,
        argument("second", whole=None, one_vector="one vector", first_of_one="first of one"),
        *arguments,
        values(_KINDS),
    )

    def both(chosen: Mapping[str, str]) -> bool:
        return _is_valid(chosen) and valid(chosen)

    fixed = (
        *({"dtype": str(one).removeprefix("torch.")} for one in FLOATS),
        {"shape": "three dimensions", "layout": "transposed", "other_layout": "strided"},
        {"shape": "three dimensions", "second": "one vector"},
        {"shape": "long vectors"},
        {"shape": "one element"},
        {"shape": "no vectors", dim.name: "last"},
        {"values": "equal"},
        {"values": "zero"},
        {"values": "special"},
    )
    return Task(
        reference=function,
        inputs=pair_inputs,
        cost=_Cost(results, flops),
        space=Space(axes, valid=both, corners=(*fixed, *corners)),
        promises=(*_promises(function), *promises),
        dtypes=FLOATS,
        **rest,
    )


def pair_shapes() -> Axis:
    """Few and many vectors, short and long ones, in up to four dimensions."""
    return Axis(
        "shape",
        (
            Option("matrix", draw_shape((5, 30), (40, 150))),
            Option("three dimensions", draw_shape((2, 5), (3, 12), (9, 40))),
            Option("four dimensions", draw_shape((2, 4), (2, 5), (3, 6), (4, 20))),
            Option("many vectors", draw_shape((1030, 1300), (3, 9))),
            Option("one element", (1, 1), DEGENERATE),
            Option("length one", draw_shape((3, 40), 1), DEGENERATE),
            Option("no vectors", draw_shape(0, (2, 5), (2, 9)), DEGENERATE),
            Option(
                "long vectors",
                draw_shape(2, (5000, 9000)),
                SCALE,
                after=draw_shape(2, (1030, 1500)),
            ),
        ),
    )


def pair_inputs(  # noqa: PLR0913 - a parameter for each axis
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    layout: str = "contiguous",
    other_layout: str = "contiguous",
    second: str = "whole",
    values: str = "ordinary",
    **words: Any,
) -> Call:
    """x2 follows from x1 as it is after its layout: equal vectors stay equal."""
    size = _SIZES.get(values, 1.0)
    x1, x2 = (draw.normal(one, dtype, size) for one in (shape, other_shape(shape, second)))
    if values == "zero":
        x1[-1:], x1[..., -1:] = 0.0, 0.0
    if values == "special":
        x1 = draw.plant(x1, (math.nan, math.inf))
        x2 = draw.plant(x2, (-math.inf,))
    x1 = draw.laid_out(x1, layout)
    if values in ("equal", "identical"):
        x2 = x2.clone()
        step = 2 if values == "equal" else 1
        x2[::step] = x1[::step]
    return call(x1, draw.laid_out(x2, other_layout), **words)


def other_shape(shape: Shape, second: str) -> Shape:
    """Of x2."""
    if second == "one vector":
        return shape[-1:]
    return (1, *shape[1:]) if second == "first of one" else shape


def _is_valid(chosen: Mapping[str, str]) -> bool:
    flat = chosen["shape"] in ("one element", "no vectors", "length one")
    ways = {chosen["layout"], chosen["other_layout"]}
    if flat and (ways != {"contiguous"} or chosen["values"] not in ("ordinary", "identical")):
        return False
    if chosen["second"] != "whole":
        plain = chosen["values"] not in ("equal", "identical")
        return plain and chosen["other_layout"] in ("contiguous", "strided") and not flat
    return True


class _Cost:
    """Both are read, the result is written."""

    def __init__(self, results: Callable[..., int], flops: int) -> None:
        self.results, self.flops = results, flops

    def __call__(self, shape: Shape, dtype: torch.dtype, **words: Any) -> Cost:
        other = other_shape(shape, words.pop("second", "whole"))
        moved = math.prod(shape) + math.prod(other) + self.results(shape, **words)
        count = math.prod(broadcast(shape, other))
        return Cost(flops=self.flops * count, bytes=moved * dtype.itemsize)


def _promises(function: Function) -> tuple[Promise, ...]:
    return (
        Promise(
            "x2 has x1's dtype, and broadcasts to its shape.",
            "second",
            ("one vector", "first of one"),
            mistakes.refuses(function, "other shapes refused", lambda a, b, *_: a.shape != b.shape),
        ),
        any_strides(function, _LAYOUTS[0], 0, "x1"),
        any_strides(function, _LAYOUTS[1], 1, "x2"),
        Promise(
            "There may be no vectors at all; vectors have at least one element.",
            "shape",
            ("no vectors",),
            mistakes.refuses(function, "what is empty refused", lambda a, *_: not a.numel()),
        ),
    )
