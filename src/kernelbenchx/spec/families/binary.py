"""Tasks that compute each element of the result from two operands."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    FLOATS,
    Drawn,
    Normal,
    outs,
    values,
)
from kernelbenchx.spec.families.operands import (
    CORNERS,
    NUMBERS,
    Number,
    Shape,
    is_valid,
    operands,
)
from kernelbenchx.spec.huge_call import HugeCall
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.shapes import broadcast
from kernelbenchx.spec.space import Axis, Chosen, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Pairs = Sequence[tuple[float, float]]


def binary(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    pairs: Mapping[str, Pairs],
    first: Drawn = Normal(),  # noqa: B008 - frozen
    second: Drawn = Normal(),  # noqa: B008 - frozen
    integers: tuple[Drawn, Drawn],
    numbers: Sequence[float] = (-1.3, 0.25, 2.5),
    arguments: Sequence[Axis] = (),
    valid: Callable[[Chosen], bool] = lambda _chosen: True,
    corners: Sequence[Chosen] = (),
    flops: int = 1,
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(input, other, ...)` is the reference.

    `first`, `second`: what float operands are filled with. `pairs`: special values of both that
    meet, with a word for each kind. `integers`: what integer operands are filled with. `numbers`:
    some that `other` may be. `rest`: fields of `Task`.
    """
    has_out = "out" in inspect.signature(function).parameters
    axes = (
        *operands(numbers),
        *arguments,
        *((outs(),) if has_out else ()),
        values(pairs),
    )

    def both(chosen: Chosen) -> bool:
        return is_valid(chosen) and valid(chosen)

    fields: dict[str, Any] = {
        "cost": _Cost(flops),
        "timings": (),
        "huge": HugeCall({"dtype": torch.float16}),
        "writes": ("out",) if has_out else (),
    }
    return Task(
        reference=function,
        inputs=_Inputs(function, (first, second), integers, pairs),
        space=Space(axes, valid=both, corners=(*CORNERS, *corners)),
        promises=_promises(function, has_out) + promises,
        dtypes=FLOATS,
        **fields | rest,
    )


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(
        self,
        function: Function,
        floats: tuple[Drawn, Drawn],
        integers: tuple[Drawn, Drawn],
        pairs: Mapping[str, Pairs],
    ) -> None:
        self.function, self.floats, self.integers, self.pairs = function, floats, integers, pairs

    def __call__(  # noqa: PLR0913 - a parameter for each axis
        self,
        draw: Draw,
        shape: Shape,
        dtype: torch.dtype,
        other: Shape | Number | None = None,
        other_dtype: torch.dtype | None = None,
        layout: str = "contiguous",
        other_layout: str = "contiguous",
        values: str = "ordinary",
        out: str | None = None,
        **words: Any,
    ) -> Call:
        """`other`: a shape, a number, or None for the shape of the input."""
        given: Any = other
        beside = torch.float32 if isinstance(other, float) else other_dtype or dtype
        x = self._draw_operand(draw, 0, shape, dtype, beside)
        if not isinstance(other, Number):
            of = shape if other is None else other
            given = self._draw_operand(draw, 1, of, other_dtype or dtype, dtype)
        if values != "ordinary":
            x, given = _with_pairs(draw, x, given, self.pairs[values])
        if isinstance(given, torch.Tensor):
            given = draw.laid_out(given, other_layout)
        x = draw.laid_out(x, layout)
        if out is not None:
            like = self.function(x, given, **words)
            words["out"] = draw.laid_out(draw.normal(like.shape, like.dtype), out)
        return call(x, given, **words)

    def _draw_operand(
        self, draw: Draw, place: int, shape: Shape, dtype: torch.dtype, beside: torch.dtype
    ) -> torch.Tensor:
        if dtype.is_floating_point:
            return self.floats[place](draw, shape, dtype)
        if beside.is_floating_point:
            # Integers that the result's dtype holds: no rule says how others are rounded to it.
            return draw.integers(shape, 1, 2**20 if beside.itemsize > 2 else 100, dtype)
        return self.integers[place](draw, shape, dtype)


def _with_pairs(
    draw: Draw, x: torch.Tensor, y: torch.Tensor | Number, pairs: Pairs
) -> tuple[torch.Tensor, torch.Tensor | Number]:
    """Both values of a pair at one place where the shapes are the same, else each by itself."""
    ours, theirs = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
    if not isinstance(y, torch.Tensor):
        return draw.plant(x, ours), y
    if x.shape != y.shape:
        return draw.plant(x, ours), draw.plant(y, theirs)
    places = draw.places(x.numel(), len(pairs))
    chosen = torch.tensor(list(pairs), device=x.device)[: len(places)]
    x.view(-1)[places], y.view(-1)[places] = chosen[:, 0].to(x.dtype), chosen[:, 1].to(y.dtype)
    return x, y


class _Cost:
    """Both operands are read once, the result is written once."""

    def __init__(self, flops: int) -> None:
        self.flops = flops

    def __call__(
        self,
        shape: Shape,
        dtype: torch.dtype,
        other: Shape | Number | None = None,
        other_dtype: torch.dtype | None = None,
        **_: Any,
    ) -> Cost:
        count, read = traffic(shape, dtype, other, other_dtype)
        wide = torch.promote_types(dtype, other_dtype or dtype).itemsize
        return Cost(flops=self.flops * count, bytes=read + count * wide)


def traffic(
    shape: Shape,
    dtype: torch.dtype,
    other: Shape | Number | None = None,
    other_dtype: torch.dtype | None = None,
) -> tuple[int, int]:
    """How many results there are, and how many bytes are read for them."""
    if isinstance(other, Number):
        return math.prod(shape), math.prod(shape) * dtype.itemsize
    second = shape if other is None else other
    read = math.prod(shape) * dtype.itemsize + math.prod(second) * (other_dtype or dtype).itemsize
    return math.prod(broadcast(shape, second)), read


def _promises(function: Function, has_out: bool) -> tuple[Promise, ...]:
    return (
        Promise(
            "`other` is a tensor or a number.",
            "other",
            NUMBERS,
            mistakes.refuses(function, "numbers refused", lambda _, other, *__: _is_number(other)),
        ),
        Promise(
            "Shapes broadcast.", "other", ("column", "stretches both"), _read_in_turn(function)
        ),
        Promise(
            "Dtypes promote as `torch.result_type` says. Tensors are float32, float16, bfloat16, "
            "int32 or int64.",
            "other_dtype",
            ("float32", "bfloat16", "int64"),
            _first_dtype(function),
        ),
        Promise(
            "Any shape, also empty and 0-d.",
            "shape",
            ("0-d", "empty"),
            mistakes.refuses(
                function, "0-d and empty refused", lambda x, *_: not x.dim() * x.numel()
            ),
        ),
        mistakes.strides_promise(function),
        Promise(
            "`other` has strides of its own.",
            "other_layout",
            ("transposed", "strided", "expanded"),
            mistakes.strides_ignored(function, 1, "other"),
        ),
        *((mistakes.out_promise(function),) if has_out else ()),
    )


def _is_number(other: Any) -> bool:
    return not isinstance(other, torch.Tensor)


def _read_in_turn(function: Function) -> Mutant:
    """Starts again with the first element of `other` where it has no more: right for rows."""

    def answer(input: torch.Tensor, other: Any, **words: Any) -> torch.Tensor:
        if _is_number(other) or not other.numel():
            return function(input, other, **words)
        whole = broadcast(tuple(input.shape), tuple(other.shape))
        turn = torch.arange(math.prod(whole)) % other.numel()
        return function(input, other.flatten()[turn].reshape(whole), **words)

    return Mutant("other read in turn", answer, ("other",))


def _first_dtype(function: Function) -> Mutant:
    """Computed in the dtype of the input, then cast."""

    def answer(input: torch.Tensor, other: Any, **words: Any) -> torch.Tensor:
        out = words.pop("out", None)
        narrow = torch.as_tensor(other).to(input.dtype)
        result = function(input, narrow, **words).to(function(input, other, **words).dtype)
        return mistakes.store_result(result, out)

    return Mutant("dtype of the first operand", answer, ("other",))
