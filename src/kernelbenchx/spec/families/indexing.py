"""Tasks that move elements, bit for bit, to or from places that an argument names."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.exact import Exact
from kernelbenchx.spec.families import axes, mistakes
from kernelbenchx.spec.families.axes import DEGENERATE, FLOATS, dims_of, fits, fresh
from kernelbenchx.spec.families.standard_promises import input_strides
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis, FreshValue, Option, Space
from kernelbenchx.spec.task import Task
from kernelbenchx.spec.tiles import spans_tiles

Function = Callable[..., torch.Tensor]
Shape = tuple[int, ...]
SPECIAL = (0.0, -0.0, math.inf, -math.inf, math.nan, 1e-7)


def indexing(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    tensors: Mapping[str, int],
    strides: str,
    other_dtypes: tuple[torch.dtype, ...],
    dtype_text: str,
    moved: str = "input",
    arguments: tuple[Axis, ...] = (),
    valid: Callable[[Mapping[str, str]], bool] = lambda _: True,
    corners: Sequence[Mapping[str, str]] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    spans_tiles: Callable[[Mapping[str, Any]], bool] = spans_tiles,
    **rest: Any,
) -> Task:
    """A task of the family; `function(input, ...)` is the reference.

    `tensors`: the places of further tensors by name; each has an axis `<name>_layout`. `moved`: the
    one whose elements are moved. `strides`, `dtype_text`: sentences about strides and dtypes.
    `valid`: about everything but the layout and values of `input`. `spans_tiles`: a field of
    `Space`. `rest`: fields of `Task`.
    """
    fields: dict[str, Any] = {
        "contract": Exact(signed_zero=True),
        "data_movement": True,
        "dtypes": FLOATS,
    }
    further = (
        axes.layouts(f"{one}_layout", ("transposed", "strided", "expanded")) for one in tensors
    )
    return Task(
        reference=function,
        space=Space(
            (
                axes.shapes(),
                *arguments,
                axes.dtypes(FLOATS, other_dtypes),
                axes.layouts(),
                *further,
                axes.values(("special",)),
            ),
            valid=lambda chosen: _is_valid(chosen) and valid(chosen),
            corners=tuple(corners),
            spans_tiles=spans_tiles,
        ),
        promises=(
            *promises,
            input_strides(function, strides),
            Promise(
                dtype_text,
                "dtype",
                tuple(str(one).removeprefix("torch.") for one in other_dtypes),
                mistakes.moved_as_float32(function, tensors.get(moved, 0), moved),
            ),
        ),
        mutants=(
            *(mistakes.strides_ignored(function, place, one) for one, place in tensors.items()),
            *mutants,
        ),
        **fields | rest,
    )


def elements(draw: Draw, shape: Shape, dtype: torch.dtype, special: bool) -> torch.Tensor:
    """To be moved: numbers of all bits, and where it is asked for those that are not ordinary."""
    if dtype.is_floating_point or dtype.is_complex:
        return draw.plant(draw.normal(shape, dtype), SPECIAL if special else ())
    return draw.integers(shape, -(2**62), 2**62).to(dtype)


def dims() -> Axis:
    """The argument `dim`, for the shape that was drawn before."""
    return Axis(
        "dim",
        (
            Option("first", 0),
            Option("inner", fresh(lambda c: c.choice((1, 2, -2, -3)))),
            Option("last", FreshValue(lambda _, before: max(len(before["shape"]), 1) - 1)),
            Option("last, negative", -1),
            Option("first, negative", FreshValue(lambda _, before: -max(len(before["shape"]), 1))),
        ),
    )


def indices() -> Axis:
    """The shape of an index with as many dimensions as the input."""
    return Axis(
        "index",
        (
            Option("as input", FreshValue(lambda _, before: before["shape"])),
            Option("shorter", FreshValue(lambda c, before: _index(c, before, False))),
            Option("smaller", FreshValue(lambda c, before: _index(c, before, True))),
            Option("empty", FreshValue(_empty), DEGENERATE),
        ),
    )


def index_fits(chosen: Mapping[str, str]) -> bool:
    """Whether the options of `dims` and `indices` and the layout of the index go together."""
    rank = dims_of(chosen)
    if (chosen["dim"] == "inner" and rank < 3) or (chosen["index"] != "as input" and rank == 0):
        return False
    if not fits(chosen["index_layout"], rank):
        return False
    return chosen["index_layout"] == "contiguous" or (rank > 1 and chosen["index"] != "empty")


def places(draw: Draw, shape: Shape, dim: int, index: Shape, layout: str) -> torch.Tensor:
    """An index of that shape into `dim`, with no place twice."""
    expanded = layout == "expanded"  # one row of places for all others
    along = dim % max(len(shape), 1)
    alike = tuple(1 if expanded and d != along else size for d, size in enumerate(index))
    found = draw.distinct(alike, dim, shape[dim] if shape else 1).expand(index)
    return found if expanded else draw.laid_out(found, layout)


def negative_dim(function: Function) -> Promise:
    """Of `function(input, dim, index, ...)`."""

    def answer(input: torch.Tensor, dim: int, *rest: Any) -> torch.Tensor:
        wrong_dim = dim - 1 if dim < 0 and -dim < input.dim() else dim
        return _along(function, input, wrong_dim, *rest)

    return Promise(
        "dim may be negative.",
        "dim",
        ("last, negative", "first, negative"),
        Mutant("negative dim off by one", answer, ("dim",)),
    )


def always_first_dim(function: Function) -> Mutant:
    """Of `function(input, dim, index, ...)`."""

    def answer(input: torch.Tensor, _dim: int, *rest: Any) -> torch.Tensor:
        return _along(function, input, 0, *rest)

    return Mutant("always dimension 0", answer, ("dim",))


def _along(
    function: Function, input: torch.Tensor, dim: int, index: torch.Tensor, *rest: Any
) -> torch.Tensor:
    """Along another dimension, as far as that reaches."""
    return function(input, dim, index.clamp(max=max(input.size(dim) - 1, 0)), *rest)


def _index(chance: random.Random, before: Mapping[str, Any], everywhere: bool) -> Shape:
    """Shorter along `dim`, or everywhere."""
    shape, dim = before["shape"], before["dim"]
    return tuple(
        chance.randrange(size // 2, size)
        if size > 1 and (everywhere or d == dim % len(shape))
        else size
        for d, size in enumerate(shape)
    )


def _empty(chance: random.Random, before: Mapping[str, Any]) -> Shape:
    gone = chance.randrange(len(before["shape"]))
    return tuple(0 if d == gone else size for d, size in enumerate(before["shape"]))


def _is_valid(chosen: Mapping[str, str]) -> bool:
    if not fits(chosen["layout"], dims_of(chosen)):
        return False
    return chosen["values"] == "ordinary" or "float" in chosen["dtype"]
