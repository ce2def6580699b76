"""Tasks that decompose real matrices (..., m, n), single and in batches."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.contract import Contract
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    SCALE,
    VALUES,
    draw_shape,
    dtypes,
    fits,
    fresh,
    layouts,
    one_of,
    outs,
    without,
)
from kernelbenchx.spec.families.standard_promises import input_strides, out_is_written
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, Option, Space
from kernelbenchx.spec.task import Task
from kernelbenchx.spec.tiles import has_several_matrices

Function = Callable[..., Any]
Shape = tuple[int, ...]
Matrices = Callable[[Draw, Shape, torch.dtype, str], torch.Tensor]
"""Draws matrices of one kind, a word of the axis `values`."""
REAL = (torch.float32, torch.float64)


def decomposition(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    laws: Contract,
    outputs: Callable[..., Sequence[Shape]],
    flops: Callable[..., int],
    matrices: Matrices,
    length: int = 1,
    shapes: Axis | None = None,
    kinds: Sequence[str] = (),
    arguments: tuple[Axis, ...] = (),
    valid: Callable[[Mapping[str, str]], bool] = lambda _chosen: True,
    corners: Sequence[Mapping[str, str]] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(A, ...)` is the reference and gives a tuple of factors.

    `laws`: what the factors must keep. `outputs(shape, **options)`: their shapes.
    `flops(m, n, **options)`: for one matrix. `matrices` draws A. `length`: the factor that is as
    large as A. `shapes` and `kinds` stand for all of them where they are not given. `valid`: which
    choices go together, beside what the family knows. `rest`: fields of `Task`.
    """
    values = _VALUES if not kinds else without(_VALUES, *_others(kinds))
    written = (outs(),) if "out" in inspect.signature(function).parameters else ()
    known = (shapes or all_shapes(), dtypes(REAL[:1], REAL[1:]), layouts(), values)

    def both(chosen: Mapping[str, str]) -> bool:
        return _is_valid(chosen) and valid(chosen)

    space = Space((*known, *arguments, *written), valid=both, calls=20)
    fixed = (*(one for one in _CORNERS if _is_known(space, one)), *corners)
    fields: dict[str, Any] = {"dtypes": REAL, "writes": ("out",) if written else ()}
    return Task(
        reference=function,
        inputs=_Inputs(matrices, outputs),
        cost=_Cost(outputs, flops),
        contract=laws,
        space=Space(
            space.axes, valid=both, corners=fixed, calls=20, spans_tiles=has_several_matrices
        ),
        promises=(*_promises(function, bool(written)), *promises),
        mutants=(one_tile_only(function), squares_overflow(function, length), *mutants),
        **fields | rest,
    )


def all_shapes() -> Axis:
    """Tall, wide and square, with no, one and two leading dimensions."""
    return Axis(
        "shape",
        (
            Option("tall", draw_shape((9, 20), (2, 9))),
            Option("wide", draw_shape((2, 9), (9, 20))),
            Option("square", _SQUARE),
            Option("batch", draw_shape((2, 5), (3, 6), (3, 6))),
            Option("batches", draw_shape(2, (2, 4), (3, 6), (3, 6))),
            Option("one element", (1, 1), DEGENERATE),
            Option("one line", one_of((7, 1), (4, 1), (1, 5), (2, 1, 8)), DEGENERATE),
            Option(
                "large", draw_shape((33, 41), (17, 20)), SCALE, after=draw_shape((33, 41), (9, 12))
            ),
            Option("very tall", draw_shape((65, 90), (2, 4)), SCALE),
            Option("very wide", draw_shape((2, 4), (65, 90)), SCALE),
        ),
    )


def square_shapes() -> Axis:
    """For what only square matrices have."""
    return Axis(
        "shape",
        (
            Option("square", _SQUARE),
            Option("batch", fresh(lambda c: (c.randrange(2, 7), *(c.randrange(3, 6),) * 2))),
            Option("batches", fresh(lambda c: (2, c.randrange(2, 5), *(c.randrange(3, 6),) * 2))),
            Option("one element", (1, 1), DEGENERATE),
            Option("large", fresh(lambda c: (c.randrange(65, 70),) * 2), SCALE),
        ),
    )


def any_matrices(orders: int) -> Matrices:
    """Of every kind that is hard to decompose.

    `orders`: of magnitude, over which the columns of a graded matrix go.
    """

    def draw_matrices(draw: Draw, shape: Shape, dtype: torch.dtype, kind: str) -> torch.Tensor:
        a = draw.normal(shape, torch.float64) * {"huge": 1e20, "tiny": 1e-30}.get(kind, 1.0)
        if kind == "graded":
            a = a * torch.logspace(-orders / 2, orders / 2, shape[-1]).to(a)
        if kind == "rank one":
            a = a[..., :1] * a[..., :1, :]
        if kind == "zero":
            a = torch.zeros_like(a)
        if "identity" in kind:
            eye = torch.eye(*shape[-2:], dtype=a.dtype, device=a.device)
            a = (1e-4 * a if kind == "near identity" else 0 * a) + eye
        return a.to(dtype)

    return draw_matrices


def fill_out(factors: Sequence[torch.Tensor], out: Sequence[torch.Tensor] | None) -> Any:
    """The factors, or `out` with them written into it."""
    if out is None:
        return tuple(factors)
    return tuple(to.copy_(one) for to, one in zip(out, factors, strict=True))


def change_factors(function: Function, change: Callable[..., Sequence[torch.Tensor]]) -> Function:
    """The right factors, and then something done to them."""

    def answer(a: torch.Tensor, *args: Any, out: Any = None, **words: Any) -> Any:
        return fill_out(change(*function(a, *args, **words)), out)

    return answer


def surplus_zero(function: Function, outputs: Function, thin: dict[str, Any]) -> Mutant:
    """Where full factors are asked for, those of the options `thin` with zeros behind them."""

    def answer(a: torch.Tensor, out: Any = None, **words: Any) -> Any:
        factors = function(a, **words | thin)
        shapes = outputs(a.shape, **words)
        if shapes == outputs(a.shape, **words | thin) or (0,) in shapes:
            return function(a, **words, **({} if out is None else {"out": out}))
        return fill_out([_pad_factor(*pair) for pair in zip(factors, shapes, strict=True)], out)

    return Mutant("surplus rows and columns are zero", answer, tuple(thin))


def _pad_factor(x: torch.Tensor, shape: Shape) -> torch.Tensor:
    wide = x.new_zeros(shape)
    wide[tuple(slice(size) for size in x.shape)] = x
    return wide


def one_tile_only(function: Function, most: int = 64) -> Mutant:
    """Rows and columns beyond a block of fixed size count as those of a unit matrix."""

    def answer(a: torch.Tensor, *args: Any, **words: Any) -> Any:
        seen = torch.eye(*a.shape[-2:], dtype=a.dtype, device=a.device).expand_as(a).clone()
        seen[..., :most, :most] = a[..., :most, :most]
        return function(seen, *args, **words)

    return Mutant(f"only the first {most} rows and columns", answer, ("A",))


def squares_overflow(function: Function, place: int) -> Mutant:
    """Lengths are roots of sums of squares, in the numbers at hand."""

    def answer(a: torch.Tensor, *args: Any, **words: Any) -> Any:
        factors = list(function(a, *args, **words))
        length = (a * a).sum((-2, -1), keepdim=True).sqrt()
        lost = length.isinf() | ((length == 0) & (a != 0).any())
        if bool(lost.any()):
            factors[place].fill_(float("nan"))
        return tuple(factors)

    return Mutant("squares overflow or vanish", answer, ("A",))


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(self, matrices: Matrices, outputs: Callable[..., Sequence[Shape]]) -> None:
        self.matrices, self.outputs = matrices, outputs

    def __call__(
        self,
        draw: Draw,
        shape: Shape,
        dtype: torch.dtype,
        layout: str = "contiguous",
        values: str = "",
        out: str = "",
        **options: Any,
    ) -> Call:
        a = draw.laid_out(self.matrices(draw, shape, dtype, values), layout)
        if not out:
            return call(a, **options)
        written = (draw.normal(one, dtype) for one in self.outputs(shape, **options))
        return call(a, **options, out=tuple(draw.laid_out(one, out) for one in written))


class _Cost:
    """A and all factors are moved once."""

    def __init__(self, outputs: Callable[..., Sequence[Shape]], flops: Callable[..., int]) -> None:
        self.outputs, self.flops = outputs, flops

    def __call__(self, shape: Shape, dtype: torch.dtype, **options: Any) -> Cost:
        for name in ("layout", "values", "out"):
            options.pop(name, None)
        moved = math.prod(shape) + sum(map(math.prod, self.outputs(shape, **options)))
        flops = math.prod(shape[:-2]) * self.flops(*shape[-2:], **options)
        return Cost(flops=flops, bytes=moved * dtype.itemsize)


def _promises(function: Function, written: bool) -> tuple[Promise, ...]:
    into = out_is_written(
        function,
        "With `out`, a tuple of tensors of these shapes and of A's dtype, all are written there "
        "and returned.",
    )
    own_dtype = Promise(
        "A is float32 or float64, computed in its own dtype (no TF32).",
        "dtype",
        ("float64",),
        Mutant("float64 computed in float32", _in_single(function)),
    )
    return (input_strides(function), *((into,) if written else ()), own_dtype)


def _in_single(function: Function) -> Function:
    def answer(a: torch.Tensor, *args: Any, out: Any = None, **words: Any) -> Any:
        factors = function(a.float(), *args, **words)
        return fill_out(tuple(one.to(a.dtype) for one in factors), out)

    return answer


_SQUARE = fresh(lambda c: (c.choice((4, 16, c.randrange(3, 14))),) * 2)
_VALUES = Axis(
    "values",
    (
        Option("ordinary", OMITTED),
        Option("graded", "graded", VALUES),
        Option("rank one", "rank one", VALUES),
        Option("zero", "zero", VALUES),
        Option("identity", one_of("identity", "near identity"), VALUES),
        Option("extreme", one_of("huge", "tiny"), VALUES),
    ),
)
_CORNERS: tuple[Mapping[str, str], ...] = (
    {},
    {"shape": "wide", "dtype": "float64"},
    # One leading dimension and two: strides of a batch are a mistake of their own.
    {"shape": "batch", "layout": "transposed"},
    {"shape": "batches", "layout": "transposed"},
    {"shape": "square", "values": "graded"},
    {"shape": "tall", "values": "rank one"},
    {"shape": "tall", "values": "extreme"},
    {"shape": "batches", "values": "extreme"},
    {"shape": "one element"},
)


def _others(kinds: Sequence[str]) -> tuple[str, ...]:
    return tuple(one.name for one in _VALUES.options[1:] if one.name not in kinds)


def _is_known(space: Space, corner: Mapping[str, str]) -> bool:
    """Whether the space has these options."""
    names = {name: {one.name for one in axis.options} for name, axis in space.by_name.items()}
    return all(option in names[axis] for axis, option in corner.items())


def _is_valid(chosen: Mapping[str, str]) -> bool:
    """A vector is the same however it is transposed."""
    dims = {"one element": 0, "one line": 1}.get(chosen["shape"], 2)
    return fits(chosen["layout"], dims) and fits(chosen.get("out", "contiguous"), dims + 1)
