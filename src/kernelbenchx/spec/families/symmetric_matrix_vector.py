"""Tasks that make one number of a symmetric matrix and a vector."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

from kernelbenchx.spec.axis import Axis, Option
from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    FLOATS,
    SCALE,
    dtypes,
    fresh_number,
    layouts,
    one_of,
    values,
)
from kernelbenchx.spec.families.standard_promises import any_strides
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.space import Space
from kernelbenchx.spec.task import Task
from kernelbenchx.spec.tiles import fills_tiles

Function = Callable[..., torch.Tensor]
_SIZES = {"small": 1e-3, "large": 30.0}
_MATRIX = layouts("layout", ("transposed", "strided", "offset", "padded rows"))
_VECTOR = layouts("x_layout", ("strided", "offset", "expanded"))


def symmetric_and_vector(
    function: Function,
    *,
    arguments: tuple[Axis, ...],
    corners: tuple[Mapping[str, str], ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(A, x, ...)` is the reference, all else is given by name.

    `arguments`: an axis for each of the others. `rest`: fields of `Task`.
    """
    axes = (
        _sizes(),
        dtypes(FLOATS),
        _MATRIX,
        _VECTOR,
        *arguments,
        values((*_SIZES, "nan", "inf")),
    )
    fixed = ({"dtype": str(one).removeprefix("torch.")} for one in FLOATS)
    return Task(
        reference=function,
        inputs=_inputs,
        cost=_cost,
        space=Space(
            axes,
            valid=_is_valid,
            corners=(*fixed, *corners),
            spans_tiles=lambda c: fills_tiles((c["n"], c["n"])),
        ),
        promises=(
            any_strides(function, _MATRIX, 0, "A"),
            any_strides(function, _VECTOR, 1, "x"),
        ),
        dtypes=FLOATS,
        **rest,
    )


def _sizes() -> Axis:
    return Axis(
        "n",
        (
            Option("some", fresh_number(70, 300)),
            Option("few", fresh_number(2, 20)),
            Option("whole blocks", one_of(64, 128, 256)),
            Option("one", 1, DEGENERATE),
            Option("many", fresh_number(1100, 1300), SCALE, after=fresh_number(520, 600)),
        ),
    )


def _is_valid(chosen: Mapping[str, str]) -> bool:
    return chosen["n"] != "one" or chosen["layout"] == chosen["x_layout"] == "contiguous"


def _inputs(
    draw: Draw,
    n: int,
    dtype: torch.dtype,
    layout: str = "contiguous",
    x_layout: str = "contiguous",
    values: str = "ordinary",
    **words: Any,
) -> Call:
    a = draw.normal((n, n), torch.float32, _SIZES.get(values, 1.0))
    a, x = torch.triu(a) + torch.triu(a, 1).mT, draw.normal((n,), dtype)
    if values in ("nan", "inf"):
        one, two = draw.places(n, 2).tolist() if n > 1 else (0, 0)
        a[one, two] = a[two, one] = math.nan if values == "nan" else math.inf
    return call(draw.laid_out(a.to(dtype), layout), draw.laid_out(x, x_layout), **words)


def _cost(n: int, dtype: torch.dtype, **_: Any) -> Cost:
    """One triangle of A is enough."""
    return Cost(flops=2 * n * n, bytes=(n * (n + 1) // 2 + n + 1) * dtype.itemsize)
