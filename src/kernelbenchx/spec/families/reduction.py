"""Tasks that compute along dimensions: reductions, and what keeps the shape (softmax)."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    FLOATS,
    Drawn,
    Normal,
    argument,
    layouts,
    outs,
    values,
)
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.axes import other_dtypes as other_dtype_axis
from kernelbenchx.spec.families.dimensions import ONE, SEVERAL, Dim, Shape, fits, shapes
from kernelbenchx.spec.families.dimensions import dims as dims_axis
from kernelbenchx.spec.families.extremes import plant_in_slices
from kernelbenchx.spec.huge_call import COLUMNS, HugeCall
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.shapes import reduced_count
from kernelbenchx.spec.space import Axis, Chosen, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]


def reduction(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    ordinary: Drawn,
    others: Mapping[str, Drawn] | None = None,
    integers: Drawn | None = None,
    dims: tuple[str, ...] = (*ONE, *SEVERAL, "none"),
    dtypes: tuple[torch.dtype, ...] = FLOATS,
    other_dtypes: tuple[torch.dtype, ...] = (),
    casts: tuple[torch.dtype, ...] = (),
    arguments: Sequence[Axis] = (),
    keeps_shape: bool = False,
    empty_slices: bool = True,
    long: int = 70_000,
    valid: Callable[[Chosen], bool] = lambda _chosen: True,
    flops: int = 1,
    gives: Callable[[torch.dtype], torch.dtype] = lambda dtype: dtype,
    corners: Sequence[Chosen] = (),
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(input, dim, ...)` is the reference.

    `ordinary`, `others`: what float inputs are filled with, a word for each of the others. NaN and
    infinities that are planted stand in the first, a middle and the last tile of slices.
    `integers`: the same for integers. `dims`: words of `ONE`, `SEVERAL`, "none" and "not given".
    `casts`: values of the argument `dtype`. `keeps_shape`: the result is as large as the input.
    `empty_slices`: whether nothing may be reduced. `long`: about the longest slice. `gives`: the
    result's dtype without `dtype`. `corners`: more of them. `rest`: fields of `Task`.
    """
    parameters = inspect.signature(function).parameters
    fills = {"ordinary": ordinary, **(others or {})}
    axes = (
        shapes(empty_slices, long),
        dims_axis(dims),
        dtype_axis(dtypes, other_dtypes),
        *((other_dtype_axis("to", casts),) if casts else ()),
        layouts(),
        *((_KEEPDIM,) if "keepdim" in parameters else ()),
        *arguments,
        *((outs(),) if "out" in parameters else ()),
        *((values(others),) if others else ()),
    )
    narrow = min(dtypes, key=lambda one: one.itemsize)
    fields: dict[str, Any] = {
        "huge": HugeCall({"dim": 1, "dtype": narrow}, COLUMNS),
        "writes": ("out",) if "out" in parameters else (),
    }

    def both(chosen: Chosen) -> bool:
        return _is_valid(chosen) and valid(chosen)

    return Task(
        reference=function,
        inputs=_Inputs(function, fills, integers),
        cost=_Cost(flops, gives, keeps_shape),
        space=Space(axes, valid=both, corners=_corners(axes, both, corners, fills)),
        promises=_promises(function, dims, keeps_shape, empty_slices) + promises,
        dtypes=dtypes,
        **fields | rest,
    )


_NO_LAYOUT = ("0-d", "nothing to reduce", "no slices")
_WIDE = {"shape": "wide rows"}
_COLUMNS = {"shape": "columns", "dim": "first"}
_WHOLE = {"shape": "vector", "dim": "none"}
_KEEPDIM = argument("keepdim", not_given=None, no=False, yes=True)


def _is_valid(chosen: Chosen) -> bool:
    shape, layout, out = chosen["shape"], chosen["layout"], chosen.get("out", "not given")
    if not fits(shape, chosen["dim"]):
        return False
    integral = chosen["dtype"].startswith(("int", "bool"))
    to_integers = chosen.get("to", "not given").startswith("int")
    if (integral or to_integers) and chosen.get("values", "ordinary") != "ordinary":
        return False
    if layout != "contiguous" and shape in _NO_LAYOUT:
        return False
    if layout == "transposed" and shape == "vector":
        return False
    if layout == "expanded" and shape in ("vector", "long columns"):
        return False  # thousands of equal terms: their roundings do not average out
    if out in ("transposed", "strided"):
        return shape in ("three dimensions", "four dimensions") and chosen["dim"] in ONE
    return True


def _corners(
    axes: tuple[Axis, ...],
    valid: Callable[[Chosen], bool],
    more: Sequence[Chosen],
    fills: Mapping[str, Drawn],
) -> tuple[Chosen, ...]:
    """Every main dtype, one of each kind, more that the task asks for, and NaN and infinities in
    every way to go through tiles."""
    known = {axis.name: axis for axis in axes}
    found: list[dict[str, str]] = [
        {"dtype": one.name} for one in known["dtype"].options if not one.needs
    ]
    found += [
        {"dtype": known["dtype"].options[-1].name},
        {"shape": "matrix", "layout": "transposed"},
        {"shape": "three dimensions", "dim": "middle", "keepdim": "yes"},
        {"shape": "0-d"},
        {"shape": "no slices"},
    ]
    if not any(one.get("shape") == "long rows" for one in more):
        found.append({"shape": "long rows"})
    asked = {name for one in more for name in one}
    given = [name for name in ("to", "out", "values") if name in known and name not in asked]
    found += [{name: known[name].options[-1].name} for name in given]
    found += list(map(dict, more))
    for word in (word for word, fill in fills.items() if _not_finite(fill)):
        found = [one | _WIDE if one == {"values": word} else one for one in found]
        dims = [one.name for one in known["dim"].options]
        ways = [way for way in (_WIDE, _COLUMNS, _WHOLE) if way.get("dim", dims[0]) in dims]
        found += [{"values": word, **way} for way in ways]
    ordinary = {axis.name: axis.options[0].name for axis in axes}
    kept = [{name: word for name, word in one.items() if name in known} for one in found]
    return tuple(one for n, one in enumerate(kept) if valid(ordinary | one) and one not in kept[:n])


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(
        self, function: Function, fills: Mapping[str, Drawn], integers: Drawn | None
    ) -> None:
        self.function, self.fills, self.integers = function, fills, integers

    def __call__(  # noqa: PLR0913 - a parameter for each axis
        self,
        draw: Draw,
        shape: Shape,
        dtype: torch.dtype,
        layout: str = "contiguous",
        values: str = "ordinary",
        to: torch.dtype | None = None,
        out: str | None = None,
        **words: Any,
    ) -> Call:
        x = self._draw_values(draw, shape, dtype, values, words.get("dim"))
        x = draw.laid_out(x, layout)
        args = (x, words.pop("dim")) if "dim" in words else (x,)
        if to is not None:
            words["dtype"] = to
        if out is not None:
            like = self.function(*args, **words)
            words["out"] = draw.laid_out(draw.normal(like.shape, like.dtype), out)
        return call(*args, **words)

    def _draw_values(
        self, draw: Draw, shape: Shape, dtype: torch.dtype, values: str, dim: Dim
    ) -> torch.Tensor:
        if dtype == torch.bool:
            return draw.booleans(shape)
        if not dtype.is_floating_point and self.integers:
            return self.integers(draw, shape, dtype)
        fill = self.fills[values]
        odd = _not_finite(fill)
        if not odd or not isinstance(fill, Normal):
            return fill(draw, shape, dtype)
        finite = tuple(one for one in fill.planted if math.isfinite(one))
        x = replace(fill, planted=finite)(draw, shape, dtype)
        plant_in_slices(draw, x, dim, odd)
        return x


def _not_finite(fill: Drawn) -> tuple[float, ...]:
    """NaN and infinities that it plants, each once, NaN first."""
    found = dict.fromkeys(getattr(fill, "planted", ()))
    odd = [one for one in found if not math.isfinite(one)]
    return tuple(sorted(odd, key=math.isinf))


class _Cost:
    """One read of the input, one write of the result."""

    def __init__(
        self, flops: int, gives: Callable[[torch.dtype], torch.dtype], keeps_shape: bool
    ) -> None:
        self.flops, self.gives, self.keeps_shape = flops, gives, keeps_shape

    def __call__(
        self,
        shape: Shape,
        dtype: torch.dtype,
        dim: Dim = None,
        to: torch.dtype | None = None,
        **_: Any,
    ) -> Cost:
        count = math.prod(shape)
        results = count if self.keeps_shape else reduced_count(shape, dim)
        written = results * (to or self.gives(dtype)).itemsize
        return Cost(flops=self.flops * count, bytes=count * dtype.itemsize + written)


def _promises(
    function: Function, dims: tuple[str, ...], keeps_shape: bool, empty_slices: bool
) -> tuple[Promise, ...]:
    parameters = inspect.signature(function).parameters
    ways = ["an int (may be negative)"]
    ways += ["a tuple of ints"] if "two" in dims else []
    ways += ["None for all dimensions"] if "none" in dims else []
    listed = ways[0] if len(ways) == 1 else ", ".join(ways[:-1]) + f" or {ways[-1]}"
    empty = (
        "also empty and 0-d"
        if empty_slices
        else "also 0-d, or without slices; slices are not empty"
    )
    found = [
        Promise(f"`dim` is {listed}.", "dim", ("first", "middle"), _always_last(function)),
        Promise(
            f"Any shape, {empty}.",
            "shape",
            ("0-d", "no slices"),
            mistakes.refuses(function, "0-d and empty refused", _has_no_slice),
        ),
        Promise(
            "Slices have any length.",
            "shape",
            ("wide rows", "long rows", "long columns"),
            _first_elements(function, keeps_shape),
        ),
        mistakes.strides_promise(function),
    ]
    if "keepdim" in parameters:
        found.append(
            Promise(
                "The reduced dimensions are dropped, or kept with size 1 when keepdim=True.",
                "keepdim",
                ("yes", "no"),
                mistakes.ignore_argument(function, "keepdim"),
            )
        )
    if "out" in parameters:
        found.append(mistakes.out_promise(function))
    return tuple(found)


def _has_no_slice(input: torch.Tensor, *_: Any) -> bool:
    return not input.dim() or not input.numel()


def _always_last(function: Function) -> Mutant:
    def answer(
        input: torch.Tensor, dim: Dim = None, out: torch.Tensor | None = None, **words: Any
    ) -> torch.Tensor:
        return mistakes.store_result(function(input, dim if dim is None else -1, **words), out)

    return Mutant("always the last dimension", answer, ("dim",))


def _first_elements(function: Function, keeps_shape: bool, most: int = 4096) -> Mutant:
    """One block for a slice; the rest of it is not seen."""

    def answer(input: torch.Tensor, dim: Dim = None, **words: Any) -> torch.Tensor:
        seen = input
        every = range(input.dim())
        for d in every if dim is None else (dim,) if isinstance(dim, int) else dim:
            seen = seen.narrow(d, 0, min(most, seen.shape[d])) if every else seen
        result = function(seen, dim, **words)
        if not keeps_shape or seen is input:
            return result
        whole = result.new_zeros(input.shape)
        whole.as_strided(result.shape, whole.stride()).copy_(result)
        return whole

    return Mutant(f"only the first {most} elements of a slice", answer)
