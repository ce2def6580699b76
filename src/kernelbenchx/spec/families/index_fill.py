"""Tasks that write one number into slices of a tensor, in place."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.exact import Exact
from kernelbenchx.spec.families import axes, mistakes
from kernelbenchx.spec.families.axes import FLOATS, VALUES, argument, dims_of, fits
from kernelbenchx.spec.families.index_slices import slice_index, slice_indices, slices_fit
from kernelbenchx.spec.families.indexing import dims, elements
from kernelbenchx.spec.families.standard_promises import may_be_empty
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Shape = tuple[int, ...]
ONCE = "once"
"""Of `counted`: no slice is named twice, so that it is known how much must be written."""


def filling(
    function: Function,
    *,
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(dim, x, index, value)` is the reference.

    `rest`: fields of `Task`.
    """
    return Task(
        reference=function,
        inputs=_inputs,
        cost=_cost,
        contract=Exact(signed_zero=True),
        writes=("x",),
        data_movement=True,
        dtypes=FLOATS,
        space=Space(_AXES, valid=_is_valid, corners=_CORNERS),
        promises=(
            *promises,
            may_be_empty(function, "index and x may be empty.", "index", "empty"),
            Promise(
                "x and index may have any strides.",
                "layout",
                ("transposed", "strided"),
                mistakes.strides_ignored(function, 1, "x"),
            ),
        ),
        mutants=(
            mistakes.strides_ignored(function, 2, "index"),
            mistakes.first_elements_only(function),
            *mutants,
        ),
        **rest,
    )


def _inputs(  # noqa: PLR0913 - a parameter for each axis
    draw: Draw,
    shape: Shape,
    dim: int,
    index: int,
    dtype: torch.dtype,
    value: float,
    counted: str = "",
    **how: str,
) -> Call:
    """`how`: layouts and values."""
    x = elements(draw, shape, dtype, "values" in how)
    low = -shape[dim] if counted == "both ends" else 0
    places = slice_index(draw, shape[dim], index, how.get("index_layout", "contiguous"), low)
    if counted == ONCE:
        places = draw.places(shape[dim], index)
    number = bool(value) if dtype == torch.bool else value
    return call(dim, draw.laid_out(x, how.get("layout", "contiguous")), places, number)


def _cost(
    shape: Shape, dim: int, index: int, dtype: torch.dtype, counted: str = "", **_: Any
) -> Cost:
    """Slices that are named are written; where names may be alike, only one is sure."""
    named = index if counted == ONCE else min(index, 1)
    written = math.prod(shape) // max(shape[dim], 1) * named
    return Cost(flops=0, bytes=written * dtype.itemsize + 8 * index)


_NUMBERS = (
    Option("fraction", 0.1),
    Option("int", 3),
    Option("beyond float64", 2**53 + 1),
    Option("negative zero", -0.0, VALUES),
    Option("infinite", -math.inf, VALUES),
    Option("NaN", math.nan, VALUES),
)
_AXES = (
    axes.shapes(),
    dims(),
    *slice_indices(),
    argument("counted", from_the_start=None, from_both_ends="both ends"),
    axes.dtypes(FLOATS, (torch.float64, torch.int64, torch.bool)),
    Axis("value", _NUMBERS),
    axes.layouts(kinds=("transposed", "strided", "offset")),  # expanded: no place to write
    axes.values(("special",)),
)
_CORNERS: tuple[Mapping[str, str], ...] = (
    {},
    {"shape": "matrix", "dim": "last, negative", "index": "more than slices"},
    {"shape": "four dimensions", "dim": "inner", "dtype": "bfloat16", "value": "int"},
    {"shape": "matrix", "layout": "transposed", "counted": "from both ends"},
    {"shape": "matrix", "layout": "strided", "index_layout": "strided", "value": "NaN"},
    {"dtype": "int64", "value": "beyond float64"},
    {"shape": "matrix", "index": "empty"},
    {"shape": "empty", "index": "empty"},
)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    if not fits(chosen["layout"], dims_of(chosen)) or not slices_fit(chosen):
        return False
    if "float" in chosen["dtype"]:
        return chosen["value"] != "beyond float64"
    wide = chosen["dtype"] == "int64" and chosen["value"] == "beyond float64"
    return chosen["values"] == "ordinary" and (wide or chosen["value"] == "int")
