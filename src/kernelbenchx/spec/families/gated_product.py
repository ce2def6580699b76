"""A function of a matrix product, scaled and shifted: gate(input @ weight1) * weight2 + bias."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    FLOATS,
    SCALE,
    argument,
    draw_shape,
    layouts,
    outs,
    without,
    words,
)
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.matmul import sizes as size_axis
from kernelbenchx.spec.families.standard_promises import any_strides, may_be_empty, out_is_written
from kernelbenchx.spec.float32_compute import product_in_float32
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Gate = Callable[[torch.Tensor], torch.Tensor]
Shape = tuple[int, ...]
Sizes = tuple[int, int, int]
"""N, K, P: (.., N, K) times (K, P)."""

KINDS = {"vector": None, "full": "full", "matrix": "matrix", "column": "column", "number": "0-d"}
"""How `weight2` and `bias` broadcast."""
ALONE = ("wide", "tall", "long sum", "empty", "empty sum")
"""Sizes without leading dimensions: much work, or none."""


def gated_product(
    function: Function,
    *,
    gate: Gate,
    slope: Gate,
    wrong_gates: Mapping[str, Gate],
    flops: int,
    **rest: Any,
) -> Task:
    """A task of the family; `function` is the reference: four tensors, then `out` by name.

    `slope`: the derivative of the gate. `wrong_gates`: others, with a name for each. `flops`: of
    the gate and what follows, for each output. `rest`: fields of `Task`.
    """
    axes = (
        _sizes(),
        argument("batch", none=None, one=(3,), two=(2, 2)),
        dtype_axis(FLOATS),
        argument("weight2", **KINDS),
        argument("bias", **KINDS),
        layouts(),
        layouts("second_layout", ("transposed", "strided", "expanded")),
        layouts("term_layout", ("transposed", "strided", "expanded")),
        outs(),
        words("values", "wide", "special"),
    )
    corners = tuple({"dtype": str(one).removeprefix("torch.")} for one in FLOATS)
    corners += (
        {"layout": "transposed", "second_layout": "transposed"},
        {"sizes": "empty"},
        {"sizes": "empty sum"},
        {"values": "wide", "bias": "matrix"},
        {"values": "special"},
        {"batch": "two", "sizes": "small", "weight2": "full", "bias": "column"},
    )
    return Task(
        reference=function,
        inputs=inputs,
        cost=_Cost(flops),
        contract=Close(scale=_Size(gate, slope)),
        space=Space(axes, valid=_is_valid, corners=corners),
        promises=tuple(_promises(function, gate, axes)),
        mutants=tuple(_mutants(gate, wrong_gates)),
        eager=_GatedAnswer(gate, product=_by_the_library),
        dtypes=FLOATS,
        writes=("out",),
        **rest,
    )


def _sizes() -> Axis:
    """Those of any product; sums of 2^16 terms would take most of the time and show little."""
    some = without(size_axis(), "long sum")
    long = Option(
        "long sum", draw_shape(2, (4100, 4700), 3), SCALE, after=draw_shape(2, (1030, 1300), 3)
    )
    return Axis(some.name, (*some.options, long))


def apply_gate(
    gate: Gate,
    product: torch.Tensor,
    weight2: torch.Tensor,
    bias: torch.Tensor,
    dtype: torch.dtype,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    """Gate, scale and shift of a product, computed in the dtype of the product."""
    wide = product.dtype
    result = (gate(product) * weight2.to(wide) + bias.to(wide)).to(dtype)
    return result if out is None else out.copy_(result)


def wide_product(input: torch.Tensor, weight1: torch.Tensor) -> torch.Tensor:
    """In float32 at least."""
    wide = torch.promote_types(input.dtype, torch.float32)
    return torch.matmul(input.to(wide), weight1.to(wide))


def shapes_of(
    sizes: Sizes, batch: Shape = (), weight2: str = "vector", bias: str = "vector"
) -> tuple[Shape, ...]:
    """Of the four tensors and of the result."""
    n, k, p = sizes
    full = (*batch, n, p)
    kinds = {"vector": (p,), "full": full, "matrix": (n, p), "column": (n, 1), "0-d": ()}
    return (*batch, n, k), (k, p), kinds[weight2], kinds[bias], full


def inputs(  # noqa: PLR0913 - a parameter for each axis
    draw: Draw,
    sizes: Sizes,
    dtype: torch.dtype,
    layout: str = "contiguous",
    second_layout: str = "contiguous",
    term_layout: str = "contiguous",
    out: str = "",
    values: str = "ordinary",
    **kinds: Any,
) -> Call:
    """Draws the arguments of one call."""
    *shapes, result = shapes_of(sizes, **kinds)
    x, w, factor, added = (draw.normal(shape, dtype) for shape in shapes)
    w *= max(sizes[1], 1) ** -0.5
    if values == "wide":  # gates of every size, which show where nothing is added
        x *= 10
        added *= draw.booleans(added.shape)
    if values == "special":
        x = draw.plant(x, (math.inf, -math.inf, math.nan))
    ways = (layout, second_layout, term_layout, term_layout)
    given = zip((x, w, factor, added), ways, strict=True)
    named = {"out": draw.laid_out(draw.normal(result, dtype), out)} if out else {}
    return call(*(draw.laid_out(*one) for one in given), **named)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    if chosen["batch"] != "none" and chosen["sizes"] in ALONE:
        return False
    if "empty" not in chosen["sizes"]:
        return True
    ways = {chosen[name] for name in chosen if "layout" in name or name == "out"}
    return ways <= {"contiguous", "not given"} and chosen["values"] == "ordinary"


class _Cost:
    """The product, then so many operations for each output."""

    def __init__(self, flops: int) -> None:
        self.flops = flops

    def __call__(self, sizes: Sizes, dtype: torch.dtype, **options: Any) -> Cost:
        kinds = {name: options[name] for name in ("batch", "weight2", "bias") if name in options}
        elements = [math.prod(shape) for shape in shapes_of(sizes, **kinds)]
        flops = elements[-1] * (2 * sizes[1] + self.flops)
        return Cost(flops=flops, bytes=sum(elements) * dtype.itemsize)


class _Size:
    """What moves the product moves the gate by its slope there."""

    def __init__(self, gate: Gate, slope: Gate) -> None:
        self.gate, self.slope = gate, slope

    def __call__(
        self,
        input: torch.Tensor,
        weight1: torch.Tensor,
        weight2: torch.Tensor,
        bias: torch.Tensor,
        out: torch.Tensor | None = None,
    ) -> Any:
        product = wide_product(input, weight1)
        growth = max(1.0, math.sqrt(input.shape[-1]) / 8)
        moved = growth * wide_product(input.abs(), weight1.abs())
        # An infinite product is exact; its result is rounded all the same.
        through = (self.slope(product).abs() * moved).nan_to_num(0.0, 0.0)
        scale = (through + self.gate(product).abs()) * weight2.abs() + bias.abs()
        return scale if out is None else (scale, scale)


class _GatedAnswer:
    """The formula with another part in one place."""

    def __init__(
        self, gate: Gate, product: Function = wide_product, then: Function = apply_gate
    ) -> None:
        self.gate, self.product, self.then = gate, product, then

    def __call__(
        self,
        input: torch.Tensor,
        weight1: torch.Tensor,
        weight2: torch.Tensor,
        bias: torch.Tensor,
        *,
        out: torch.Tensor | None = None,
    ) -> torch.Tensor:
        product = self.product(input, weight1)
        return self.then(self.gate, product, weight2, bias, input.dtype, out)


def _by_the_library(input: torch.Tensor, weight1: torch.Tensor) -> torch.Tensor:
    rows = product_in_float32(input.reshape(-1, input.shape[-1]), weight1)
    return rows.view(*input.shape[:-1], weight1.shape[1])


def _round_product(input: torch.Tensor, weight1: torch.Tensor) -> torch.Tensor:
    return wide_product(input, weight1).to(input.dtype).float()


def _first_of_batch(input: torch.Tensor, weight1: torch.Tensor) -> torch.Tensor:
    product = wide_product(input, weight1)
    first = product[(0,) * (product.dim() - 2)] if product.numel() else product
    return first.expand(product.shape)


def _shifted_first(
    gate: Gate, product: torch.Tensor, weight2: torch.Tensor, bias: torch.Tensor, *rest: Any
) -> torch.Tensor:
    return apply_gate(gate, product, weight2, weight2.double() * bias.double(), *rest)


def _swap_weight_and_bias(
    gate: Gate, product: torch.Tensor, weight2: torch.Tensor, bias: torch.Tensor, *rest: Any
) -> torch.Tensor:
    factor, added = bias.expand(product.shape), weight2.expand(product.shape)
    return apply_gate(gate, product, factor, added, *rest)


def _down_the_rows(
    gate: Gate, product: torch.Tensor, weight2: torch.Tensor, bias: torch.Tensor, *rest: Any
) -> torch.Tensor:
    """A vector is taken for a column."""
    if weight2.dim() == 1 and weight2.numel():
        weight2 = weight2[torch.arange(product.shape[-2]) % weight2.numel()].unsqueeze(1)
    return apply_gate(gate, product, weight2, bias, *rest)


def _mutants(gate: Gate, wrong_gates: Mapping[str, Gate]) -> Iterator[Mutant]:
    for name, other in wrong_gates.items():
        yield Mutant(name, _GatedAnswer(other))
    yield Mutant("every leading index uses the first", _GatedAnswer(gate, product=_first_of_batch))
    yield Mutant("bias added before weight2", _GatedAnswer(gate, then=_shifted_first), ("bias",))
    yield Mutant(
        "weight2 and bias swapped",
        _GatedAnswer(gate, then=_swap_weight_and_bias),
        ("weight2", "bias"),
    )


def _promises(function: Function, gate: Gate, axes: tuple[Axis, ...]) -> Iterator[Promise]:
    known = {axis.name: axis for axis in axes}
    ways = {"input": "layout", "weight1": "second_layout"}
    for place, name in enumerate(("input", "weight1", "weight2", "bias")):
        yield any_strides(function, known[ways.get(name, "term_layout")], place, name)
    yield Promise(
        "`weight2` and `bias` may have fewer dimensions than the result, and sizes of 1: a vector "
        "stands for every row.",
        "weight2",
        ("vector", "column", "number"),
        Mutant(
            "a vector goes down the rows", _GatedAnswer(gate, then=_down_the_rows), ("weight2",)
        ),
    )
    yield Promise(
        "All tensors have one dtype, and so has the result; 16-bit inputs are computed in float32 "
        "and rounded once.",
        "dtype",
        ("float16", "bfloat16"),
        Mutant(
            "the product is rounded to the input's dtype",
            _GatedAnswer(gate, product=_round_product),
        ),
    )
    yield Promise(
        "float32 products do not use TF32.",
        "dtype",
        ("float32",),
        Mutant(
            "float32 operands rounded to TF32",
            lambda x, w, *rest, **named: function(
                mistakes.tf32(x), mistakes.tf32(w), *rest, **named
            ),
        ),
    )
    zero = "Sizes may be 0; a sum over nothing is 0."
    yield may_be_empty(function, zero, "sizes", "empty", "empty sum")
    yield out_is_written(function)
