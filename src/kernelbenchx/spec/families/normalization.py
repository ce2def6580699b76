"""Normalization: each slice less its mean, divided by its deviation, perhaps scaled and shifted."""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    FLOATS,
    VALUES,
    argument,
    layouts,
    optional,
)
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.standard_promises import any_strides
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Shape = tuple[int, ...]

SPREADS = {"narrow": 2e-3, "wide": 3e3}
"""Of the size of sqrt(eps), and such that squares leave the range of float16."""
OFFSETS = {"shifted": 300.0, "moved": 20.0, "constant": 3.0}
"""Means in units of the spread: E[x^2] - m^2 has no digits left, or few in 16 bits."""
PLANTED = (math.nan, math.inf, 1e4)


def normalization(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    shapes: Axis,
    slices: Callable[[Shape], Shape],
    vectors: Callable[[Shape], Shape],
    one_pass: Function,
    halfway: Function,
    vector_dtype: torch.dtype | None = None,
    dtypes: tuple[torch.dtype, ...] = FLOATS,
    arguments: tuple[Axis, ...] = (),
    valid: Callable[[Mapping[str, str]], bool] = lambda _: True,
    corners: tuple[Mapping[str, str], ...] = (),
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function` is the reference: input, running statistics if it has them,
    all else by name.

    `slices`: the shape of the statistics, which broadcasts to that of the input. `vectors`: the
    shape of weight, bias and running statistics; `vector_dtype`: theirs, if not that of the input.
    Wrong answers: `one_pass` has E[x^2] - m^2 for the variance, `halfway` rounds 16 bits before
    weight and bias. `rest`: fields of `Task`.
    """
    parameters = inspect.signature(function).parameters
    words = ("narrow", "wide", *OFFSETS, "special")
    axes = (
        shapes,
        dtype_axis(dtypes),
        layouts(),
        *(optional(name) for name in ("weight", "bias") if name in parameters),
        *((layouts("running_layout", ("strided",)),) if "running_mean" in parameters else ()),
        argument("eps", not_given=None, half=0.5, thousandth=1e-3),
        *arguments,
        Axis("values", (Option("ordinary", OMITTED), *(Option(w, w, VALUES) for w in words))),
    )
    fixed = tuple({"dtype": str(one).removeprefix("torch.")} for one in dtypes)
    fixed += ({"layout": "transposed"}, {"shape": "empty"})
    return Task(
        reference=function,
        inputs=_Inputs(slices, vectors, vector_dtype, "running_mean" in parameters),
        space=Space(
            axes,
            valid=lambda chosen: _is_valid(chosen) and valid(chosen),
            corners=fixed + corners,
        ),
        promises=tuple(_promises(function, axes, one_pass, halfway)) + promises,
        dtypes=dtypes,
        **rest,
    )


def _is_valid(chosen: Mapping[str, str]) -> bool:
    if chosen["shape"] != "empty":
        return True
    return chosen["layout"] == "contiguous" and chosen["values"] == "ordinary"


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(
        self,
        slices: Callable[[Shape], Shape],
        vectors: Callable[[Shape], Shape],
        vector_dtype: torch.dtype | None,
        running: bool,
    ) -> None:
        self.slices, self.vectors = slices, vectors
        self.vector_dtype, self.running = vector_dtype, running

    def __call__(  # noqa: PLR0913 - a parameter for each axis
        self,
        draw: Draw,
        shape: Shape,
        dtype: torch.dtype,
        layout: str = "contiguous",
        weight: str | None = None,
        bias: str | None = None,
        running_layout: str = "contiguous",
        values: str = "ordinary",
        **words: Any,
    ) -> Call:
        spread = SPREADS.get(values, 1.0)
        given = [draw.laid_out(self._input(draw, shape, dtype, values, spread), layout)]
        size, kind = self.vectors(shape), self.vector_dtype or dtype
        if self.running:
            mean = draw.normal(size, kind, spread)
            variance = draw.uniform(size, kind, 0.5, 2.0) * spread**2
            given += [draw.laid_out(one, running_layout) for one in (mean, variance)]
        for name, way in (("weight", weight), ("bias", bias)):
            if way is not None:
                words[name] = draw.laid_out(draw.normal(size, kind), way)
        return call(*given, **words)

    def _input(
        self, draw: Draw, shape: Shape, dtype: torch.dtype, values: str, spread: float
    ) -> torch.Tensor:
        offset = OFFSETS.get(values, 1.0)
        centre = draw.normal(self.slices(shape), torch.float32, offset * spread)
        x = draw.normal(shape, torch.float32, 0.0 if values == "constant" else spread)
        x = (x + centre).to(dtype)
        return draw.plant(x, PLANTED) if values == "special" else x


def _promises(
    function: Function, axes: tuple[Axis, ...], one_pass: Function, halfway: Function
) -> Iterator[Promise]:
    known = {axis.name: axis for axis in axes}
    yield any_strides(function, known["layout"], 0, "input")
    if "running_layout" in known:
        for place, name in ((1, "running_mean"), (2, "running_var")):
            yield any_strides(function, known["running_layout"], place, name)
    for name in ("weight", "bias"):
        if name in known:
            yield any_strides(
                function, known[name], len(inspect.signature(function).parameters), name
            )
    yield Promise(
        "The variance is the mean of squared deviations from the mean: E[x^2] - m^2 is not good "
        "enough where the mean is far larger than the spread.",
        "values",
        ("shifted", "moved"),
        Mutant("variance as E[x^2] - m^2", one_pass),
    )
    yield Promise(
        "The result has the shape and dtype of input, in new memory; 16-bit inputs are computed in "
        "float32 (also the sums) and rounded once.",
        "dtype",
        tuple(one.name for one in known["dtype"].options if "16" in one.name),
        Mutant("16 bits rounded before scale and shift", halfway, ("W-PDT", "input")),
    )
    yield Promise(
        "The input may be empty.",
        "shape",
        ("empty",),
        mistakes.refuses(function, "empty input refused", lambda x, *_: not x.numel()),
    )
