"""Something done to the output of a linear layer: f(input @ weight^T + bias)."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    FLOATS,
    LONG,
    SCALE,
    draw_shape,
    fresh,
    layouts,
    optional,
    words,
)
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.standard_promises import any_strides
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis, Option, Space
from kernelbenchx.spec.task import Task
from kernelbenchx.spec.tiles import spans_tiles

Function = Callable[..., torch.Tensor]
Shape = tuple[int, ...]
"""(..., K, N): of the input, then the number of outputs."""


def linear_layer(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    rounded_between: Function,
    flops: int,
    scales: Mapping[str, float],
    bias_means: Mapping[str, float],
    dtypes: tuple[torch.dtype, ...] = FLOATS,
    arguments: tuple[Axis, ...] = (),
    valid: Callable[[Mapping[str, str]], bool] = lambda _: True,
    corners: tuple[Mapping[str, str], ...] = (),
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function` is the reference: input, weight, all else by name.

    `rounded_between`: a wrong answer that rounds 16 bits between operators. `flops`: after the
    product, for each output. `scales`, `bias_means`: words for other sizes of the input, and for
    other means of the bias. `rest`: fields of `Task`.
    """
    axes = (
        _shapes(),
        dtype_axis(dtypes),
        layouts(),
        layouts("weight_layout", ("transposed", "strided", "expanded")),
        optional("bias"),
        *arguments,
        words("values", *scales, *bias_means, "special"),
    )

    def is_valid(chosen: Mapping[str, str]) -> bool:
        needs_bias = chosen["values"] in bias_means and chosen["bias"] == "not given"
        return not needs_bias and _is_valid(chosen) and valid(chosen)

    fixed = tuple({"dtype": str(one).removeprefix("torch.")} for one in dtypes)
    fixed += (
        {"weight_layout": "transposed", "layout": "transposed"},
        {"shape": "wide"},
        {"shape": "vector"},
        {"shape": "empty"},
        {"shape": "empty", "bias": "contiguous"},
    )
    return Task(
        reference=function,
        inputs=_Inputs(scales, bias_means),
        cost=_Cost(flops),
        space=Space(axes, valid=is_valid, corners=fixed + corners, spans_tiles=_spans_tiles),
        promises=(*_promises(function, axes, rounded_between), *promises),
        dtypes=dtypes,
        **rest,
    )


def wide_linear(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None
) -> torch.Tensor:
    """In float32 at least."""
    wide = torch.promote_types(input.dtype, torch.float32)
    added = None if bias is None else bias.to(wide)
    return torch.nn.functional.linear(input.to(wide), weight.to(wide), added)


def _shapes() -> Axis:
    return Axis(
        "shape",
        (
            Option("rows", fresh(lambda c: (c.randrange(17, 50), c.randrange(65, 131), 67))),
            Option("batches", fresh(lambda c: (2, *(c.randrange(3, 40) for _ in range(3))))),
            Option("whole blocks", fresh(lambda c: (32, c.choice((64, 128)), 64))),
            Option(
                "wide",
                draw_shape((2, 5), 9, (4100, 4300)),
                after=draw_shape((2, 5), 9, (1030, 1300)),
            ),
            Option("vector", fresh(lambda c: (c.randrange(5, 40), 17)), DEGENERATE),
            Option("one feature", fresh(lambda c: (3, c.choice((1, 7)), 1)), DEGENERATE),
            Option("empty", fresh(lambda c: c.choice(((0, 5, 3), (2, 0, 4, 3)))), DEGENERATE),
            Option(
                "long sum", draw_shape(2, (66_000, 74_000), 5), SCALE, after=draw_shape(2, LONG, 5)
            ),
            Option(
                "long rows", draw_shape(2, 3, (66_000, 74_000)), SCALE, after=draw_shape(2, 3, LONG)
            ),
        ),
    )


def _spans_tiles(params: Mapping[str, Any]) -> bool:
    *rows, terms, outputs = params["shape"]
    return spans_tiles({"sizes": (math.prod(rows), terms, outputs)})


def _is_valid(chosen: Mapping[str, str]) -> bool:
    if chosen["shape"] == "empty":
        return chosen["layout"] == "contiguous" and chosen["values"] == "ordinary"
    return chosen["shape"] != "vector" or chosen["layout"] not in ("transposed", "expanded")


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(self, scales: Mapping[str, float], bias_means: Mapping[str, float]) -> None:
        self.scales, self.bias_means = scales, bias_means

    def __call__(  # noqa: PLR0913 - a parameter for each axis
        self,
        draw: Draw,
        shape: Shape,
        dtype: torch.dtype,
        layout: str = "contiguous",
        weight_layout: str = "contiguous",
        bias: str | None = None,
        values: str = "ordinary",
        **given: Any,
    ) -> Call:
        *lead, k, n = shape
        x = draw.normal((*lead, k), dtype, self.scales.get(values, 1.0))
        x.view(-1, k)[:1] *= 4  # rows of unlike size
        if values == "special":
            x = draw.plant(x, (math.nan, math.inf))
        w = draw.laid_out(draw.normal((n, k), dtype, k**-0.5), weight_layout)
        if bias is not None:
            added = draw.normal((n,), torch.float32) + self.bias_means.get(values, 0.0)
            given["bias"] = draw.laid_out(added.to(dtype), bias)
        return call(draw.laid_out(x, layout), w, **given)


class _Cost:
    """The product, then so many operations for each output."""

    def __init__(self, flops: int) -> None:
        self.flops = flops

    def __call__(self, shape: Shape, dtype: torch.dtype, bias: str | None = None, **_: Any) -> Cost:
        *lead, k, n = shape
        rows = math.prod(lead)
        elements = rows * k + n * k + rows * n + (0 if bias is None else n)
        flops = 2 * rows * k * n + self.flops * rows * n
        return Cost(flops=flops, bytes=elements * dtype.itemsize)


def _promises(
    function: Function, axes: tuple[Axis, ...], rounded_between: Function
) -> Iterator[Promise]:
    known = {axis.name: axis for axis in axes}
    tensors = (("layout", "input"), ("weight_layout", "weight"), ("bias", "bias"))
    for place, (axis, name) in enumerate(tensors):
        yield any_strides(function, known[axis], place, name)
    yield Promise(
        "All tensors have one dtype, and so has the result; 16-bit inputs are computed in float32 "
        "and rounded once.",
        "dtype",
        tuple(one.name for one in known["dtype"].options if "16" in one.name),
        Mutant("16-bit results are rounded in between", rounded_between),
    )
    yield Promise(
        "float32 products do not use TF32.",
        "dtype",
        ("float32",),
        Mutant("float32 operands rounded to TF32", _with_tf32(function)),
    )
    yield Promise(
        "Leading sizes may be 0.",
        "shape",
        ("empty",),
        mistakes.refuses(function, "empty input refused", lambda x, *_: not x.numel()),
    )


def _with_tf32(function: Function) -> Function:
    def answer(input: torch.Tensor, weight: torch.Tensor, **given: Any) -> torch.Tensor:
        return function(mistakes.tf32(input), mistakes.tf32(weight), **given)

    return answer
