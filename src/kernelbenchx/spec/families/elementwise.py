"""Tasks that compute each element of the result from one element of the input."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cases import Case, case, grid
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    FLOATS,
    INTEGERS,
    LAYOUT,
    LAYOUTS,
    OUT_LAYOUTS,
    PADDED,
    VALUES,
    dims_of,
    fits,
    layouts,
    outs,
    shapes,
)
from kernelbenchx.spec.families.axes import (
    dtypes as dtype_axis,
)
from kernelbenchx.spec.huge_call import HugeCall
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Range = tuple[float, float]
Values = Range | float
"""A range, or the size of a normal distribution."""
MANY_BLOCKS = (140_000, 150_000)
"""More than one block of 1024 for each of the 132 multiprocessors of an H200."""
EXTREMES = (1e20, -1e20, 1e-20, -1e-20)
"""Planted beside the special values of a task; float16 makes infinities and zeros of them."""


def elementwise(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    draw: Values = 1.0,
    ranges: Mapping[str, Values] | None = None,
    planted: Sequence[float] = (),
    integers: Range | None = None,
    arguments: Sequence[Axis] = (),
    roundings: int = 1,
    flops: int = 1,
    dtypes: tuple[torch.dtype, ...] = FLOATS,
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function` is the reference.

    `draw`: what ordinary values are drawn from, a range or the size of a normal distribution.
    `ranges`: other ones, with a word for each. `planted`: special values. `integers`: the range of
    integer inputs, whose result is float32. `roundings`: of the value, inside the computation.
    `rest`: fields of `Task`.
    """
    parameters = inspect.signature(function).parameters
    has_out, has_inplace = "out" in parameters, "inplace" in parameters
    planted = (*planted, *EXTREMES) if planted else ()
    values = _values(ranges or {}, planted)
    axes = (
        shapes(long=MANY_BLOCKS),
        dtype_axis(dtypes, INTEGERS if integers else ()),
        layouts(kinds=(*LAYOUTS, PADDED)),
        *arguments,
        *((outs((*OUT_LAYOUTS, PADDED)),) if has_out else ()),
        *((_INPLACE,) if has_inplace else ()),
        *((values,) if len(values.options) > 1 else ()),
    )
    fields: dict[str, Any] = {
        "contract": Close(scale=_Size(function) if roundings > 1 else None),
        "timings": timings(dtypes),
        "huge": HugeCall({"dtype": min(dtypes, key=lambda one: one.itemsize)}),
        "truth": _Truth(function),
        "writes": ("out",) if has_out else ("input",) if has_inplace else (),
    }
    return Task(
        reference=function,
        inputs=_Inputs(draw, ranges or {}, planted, integers),
        cost=_Cost(flops),
        space=Space(axes, valid=_is_valid, corners=_corners(axes)),
        promises=_promises(function, integers is not None) + promises,
        dtypes=dtypes,
        **fields | rest,
    )


def timings(dtypes: tuple[torch.dtype, ...]) -> tuple[Case, ...]:
    """From a fraction of a GPU to filling it; one size is no multiple of anything."""
    timed = [one for one in (torch.float32, torch.bfloat16) if one in dtypes] or dtypes
    return grid(shape=((1 << 26,),), dtype=timed) + case(shape=((1 << 24) + 1,), dtype=timed[-1])


_INPLACE = Axis(
    "inplace", (Option("not given", OMITTED), Option("no", False), Option("yes", True, LAYOUT))
)


def _values(ranges: Mapping[str, Values], planted: Sequence[float]) -> Axis:
    special = (Option("special", "special", VALUES),) if planted else ()
    return Axis(
        "values",
        (Option("ordinary", OMITTED), *(Option(word, word, VALUES) for word in ranges), *special),
    )


def _is_valid(chosen: Mapping[str, str]) -> bool:
    integral = chosen["dtype"].startswith("int")
    if integral and chosen.get("values", "ordinary") != "ordinary":
        return False
    if chosen.get("inplace") == "yes" and (integral or chosen["layout"] == "expanded"):
        return False
    out = chosen.get("out", "not given")
    ways = (chosen["layout"], "contiguous" if out == "not given" else out)
    return all(fits(one, dims_of(chosen)) for one in ways)


def _corners(axes: tuple[Axis, ...]) -> tuple[dict[str, str], ...]:
    """Every dtype, the layout that is met most often, no element, and one of each other kind."""
    known = {axis.name: axis for axis in axes}
    found = [{"dtype": one.name} for one in known["dtype"].options]
    found += [{"shape": "matrix", "layout": "transposed"}, {"shape": "0-d"}, {"shape": "empty"}]
    for name in ("out", "inplace", "values"):
        if name in known:
            found.append({"shape": "matrix", name: known[name].options[-1].name})
    return tuple(found)


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(
        self,
        ordinary: Values,
        ranges: Mapping[str, Values],
        planted: tuple[float, ...],
        integers: Range | None,
    ) -> None:
        self.ordinary, self.ranges, self.planted = ordinary, ranges, planted
        self.integers = integers

    def __call__(  # noqa: PLR0913 - a parameter for each axis
        self,
        draw: Draw,
        shape: tuple[int, ...],
        dtype: torch.dtype,
        layout: str = "contiguous",
        out: str | None = None,
        inplace: bool | None = None,
        values: str = "ordinary",
        **arguments: Any,
    ) -> Call:
        x = draw.laid_out(self._draw_values(draw, shape, dtype, values), layout)
        words = dict(arguments)
        if inplace is not None:
            words["inplace"] = inplace
        if out is not None:
            given = dtype if dtype.is_floating_point else torch.float32
            words["out"] = draw.laid_out(draw.normal(shape, given), out)
        return call(x, **words)

    def _draw_values(
        self, draw: Draw, shape: tuple[int, ...], dtype: torch.dtype, values: str
    ) -> torch.Tensor:
        if not dtype.is_floating_point:
            low, high = self.integers or (-50, 50)
            return draw.integers(shape, int(low), int(high), dtype)
        within = self.ranges.get(values, self.ordinary)
        if isinstance(within, tuple):
            x = draw.uniform(shape, dtype, *within)
        else:
            x = draw.normal(shape, dtype, within)
        return draw.plant(x, self.planted) if values == "special" else x


class _Cost:
    """One read, one write."""

    def __init__(self, flops: int) -> None:
        self.flops = flops

    def __call__(self, shape: tuple[int, ...], dtype: torch.dtype, **_: Any) -> Cost:
        count = math.prod(shape)
        wide = dtype.itemsize if dtype.is_floating_point else 4
        return Cost(flops=self.flops * count, bytes=count * (dtype.itemsize + wide))


class _Truth:
    """The reference in float64, of integers too; `out` and the input are written as it says."""

    def __init__(self, function: Function) -> None:
        self.function = function

    def __call__(
        self,
        input: torch.Tensor,
        *args: Any,
        out: torch.Tensor | None = None,
        inplace: bool = False,
        **words: Any,
    ) -> torch.Tensor:
        result = self.function(input.double(), *args, **words)
        if out is not None:
            out.copy_(result)
        if inplace:
            input.copy_(result)
        return result


class _Size:
    """The size of the result: what a few roundings inside the computation are a share of."""

    def __init__(self, function: Function) -> None:
        self.function = function

    def __call__(
        self, input: torch.Tensor, *args: Any, out: Any = None, inplace: Any = None, **words: Any
    ) -> tuple[torch.Tensor, ...]:
        del out, inplace
        size = self.function(input.double(), *args, **words).abs()
        return size, size


def _promises(function: Function, integers: bool) -> tuple[Promise, ...]:
    parameters = inspect.signature(function).parameters
    found = [
        Promise(
            "Any shape, also empty and 0-d.",
            "shape",
            ("0-d", "empty"),
            mistakes.refuses(function, "0-d input refused", lambda x, *_: x.dim() == 0),
        ),
        Promise(
            "Any strides.",
            "layout",
            ("transposed", "strided", "expanded"),
            mistakes.strides_ignored(function),
        ),
    ]
    if integers:
        found.append(
            Promise(
                "The result has the input's shape and dtype; integer inputs give float32.",
                "dtype",
                ("int32", "int64"),
                mistakes.truncated_integers(function),
            )
        )
    if "out" in parameters:
        found.append(
            Promise(
                "With `out`, a tensor of the result's shape and dtype and any strides, the result "
                "is written into it and that same tensor is returned.",
                "out",
                ("contiguous", "transposed", "strided"),
                mistakes.out_ignored(function),
            )
        )
    if "inplace" in parameters:
        found.append(
            Promise(
                "With inplace=True the result is written into the input and that same tensor is "
                "returned; with inplace=False the input keeps its values and the result is a new "
                "tensor.",
                "inplace",
                ("no", "yes"),
                mistakes.not_in_place(function),
            )
        )
    return tuple(found)
