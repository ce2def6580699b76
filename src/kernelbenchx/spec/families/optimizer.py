"""One step of an optimizer, in place: a parameter, its gradient, and what is kept between steps."""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import VALUES, fresh_number, is_flat, layouts, shapes
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.standard_promises import any_strides
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., Any]
Shape = tuple[int, ...]
Kind = Literal["signed", "positive"]
"""Of a kept tensor: a mean of gradients, or a mean of their squares."""

WRITTEN_LAYOUTS = ("transposed", "strided", "offset")
_SIZES = {"tiny gradients": 1e-7, "large gradients": 1e4}


def optimizer_step(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    state: Mapping[str, Kind],
    arguments: tuple[Axis, ...],
    flops: int,
    planted: tuple[float, ...] = (math.nan, math.inf, -math.inf),
    dtypes: tuple[torch.dtype, ...] = (torch.float32, torch.bfloat16),
    corners: tuple[Mapping[str, str], ...] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function` is the reference: param, grad, the tensors of `state`, then
    `step` if it has that parameter, then options by name.

    It overwrites and returns param and the state. `arguments`: an axis for each option. `planted`:
    special values of gradients. `rest`: fields of `Task`.
    """
    has_step = "step" in inspect.signature(function).parameters
    kinds = ("ordinary", *_SIZES, *(("special",) if planted else ()))
    axes = (
        shapes(),
        dtype_axis(dtypes),
        steps() if has_step else _beginning(),
        layouts("layout", WRITTEN_LAYOUTS),
        layouts("grad_layout", ("transposed", "strided", "expanded")),
        *(layouts(f"{name}_layout", ("transposed", "strided")) for name in state),
        *arguments,
        Axis("values", (Option(kinds[0], OMITTED), *(Option(k, k, VALUES) for k in kinds[1:]))),
    )
    fixed = tuple({"dtype": str(one).removeprefix("torch.")} for one in dtypes)
    moved = {axis.name: "transposed" for axis in axes if axis.name.endswith("layout")}
    fixed += (
        moved | {"shape": "matrix"},
        {"shape": "four dimensions", "grad_layout": "transposed"},
        {"shape": "0-d"},
        {"shape": "empty"},
    )
    return Task(
        reference=function,
        inputs=_Inputs(state, planted),
        cost=_Cost(len(state), flops),
        space=Space(axes, valid=_is_valid, corners=fixed + corners),
        promises=tuple(_promises(function, axes, tuple(state))) + promises,
        dtypes=dtypes,
        writes=("param", *state),
        mutants=(
            *mutants,
            *(_left_alone(function, place + 2, name) for place, name in enumerate(state)),
        ),
        **rest,
    )


def steps() -> Axis:
    """The number of this step, counted from 1."""
    return Axis(
        "step",
        (
            Option("early", fresh_number(2, 12)),
            Option("first", 1),
            Option("later", fresh_number(50, 900)),
            Option("thousands", fresh_number(1001, 9000)),
            Option("a million", 10**6),
        ),
    )


def _beginning() -> Axis:
    return Axis("first", (Option("no", OMITTED), Option("yes", True)))


def _is_valid(chosen: Mapping[str, str]) -> bool:
    ways = {way for name, way in chosen.items() if name.endswith("layout")}
    if is_flat(chosen) and ways != {"contiguous"}:
        return False
    if chosen["shape"] == "empty" and chosen["values"] != "ordinary":
        return False
    return not (chosen["shape"] in ("vector", "long") and "transposed" in ways)


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(self, state: Mapping[str, Kind], planted: tuple[float, ...]) -> None:
        self.state, self.planted = state, planted

    def __call__(  # noqa: PLR0913 - a parameter for each axis
        self,
        draw: Draw,
        shape: Shape,
        dtype: torch.dtype,
        step: int | None = None,
        first: bool = False,
        layout: str = "contiguous",
        grad_layout: str = "contiguous",
        values: str = "ordinary",
        **words: Any,
    ) -> Call:
        size = _SIZES.get(values, 1.0)
        param = draw.laid_out(draw.normal(shape, dtype), layout)
        grad = draw.plant(draw.normal(shape, dtype, size), (0.0, -0.0, 1e3 * size, 1e-3 * size))
        grad = draw.plant(grad, self.planted if values == "special" else ())
        given = [param, draw.laid_out(grad, grad_layout)]
        for name, kind in self.state.items():
            kept = _draw_state(draw, shape, dtype, kind, size)
            if first or step == 1:  # as an optimizer starts
                kept = torch.zeros_like(kept)
            given.append(draw.laid_out(kept, words.pop(f"{name}_layout", "contiguous")))
        return call(*given, *(() if step is None else (step,)), **words)


def _draw_state(
    draw: Draw, shape: Shape, dtype: torch.dtype, kind: Kind, size: float
) -> torch.Tensor:
    if kind == "signed":
        return draw.normal(shape, dtype, 0.3 * size)
    return draw.uniform(shape, dtype, 0.01, 1.0) * size**2


class _Cost:
    """The gradient is read, all else is read and written."""

    def __init__(self, state: int, flops: int) -> None:
        self.moves, self.flops = 3 + 2 * state, flops

    def __call__(self, shape: Shape, dtype: torch.dtype, **_: Any) -> Cost:
        count = math.prod(shape)
        return Cost(flops=self.flops * count, bytes=self.moves * count * dtype.itemsize)


def _promises(
    function: Function, axes: tuple[Axis, ...], state: tuple[str, ...]
) -> Iterator[Promise]:
    known = {axis.name: axis for axis in axes}
    written = ("param", *state)
    yield Promise(
        "All tensors have the same shape and dtype. "
        f"{', '.join(written)} are overwritten, and those tensors themselves are returned, in "
        "this order; grad is left alone.",
        "shape",
        ("vector", "matrix"),
        Mutant("works on copies", _on_copies(function, len(written) + 1)),
    )
    yield any_strides(function, known["layout"], 0, "param")
    yield any_strides(function, known["grad_layout"], 1, "grad")
    for place, name in enumerate(state):
        yield any_strides(function, known[f"{name}_layout"], place + 2, name)
    yield Promise(
        "Any shape, also empty and 0-d.",
        "shape",
        ("0-d", "empty"),
        mistakes.refuses(
            function, "0-d and empty refused", lambda x, *_: not (x.dim() and x.numel())
        ),
    )


def _on_copies(function: Function, count: int) -> Function:
    def answer(*args: Any, **words: Any) -> Any:
        return function(*(one.clone() for one in args[:count]), *args[count:], **words)

    return answer


def _left_alone(function: Function, place: int, name: str) -> Mutant:
    def answer(*args: Any, **words: Any) -> Any:
        given = [one.clone() if at == place else one for at, one in enumerate(args)]
        returned = list(function(*given, **words))
        returned[place - 1] = args[place]
        return tuple(returned)

    return Mutant(f"{name} left alone", answer, (name,))
