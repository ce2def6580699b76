"""The product of two batches of matrices, as a step of fused tasks: bmm(input1, input2)."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import axes, mistakes
from kernelbenchx.spec.families.axes import DEGENERATE, SCALE, VALUES, draw_shape, one_of
from kernelbenchx.spec.families.standard_promises import input_strides, may_be_empty, out_is_written
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, Option

Sizes = tuple[int, int, int, int]
"""B, N, M, P: (B, N, M) times (B, M, P)."""

SIZES = Axis(
    "sizes",
    (
        Option("ordinary", draw_shape(2, (33, 70), (17, 70), (65, 99))),
        Option("whole blocks", draw_shape([1, 3], [32, 64], 32, 64)),
        Option("narrow", draw_shape(3, (9, 40), (3, 20), (3, 12))),
        Option("one", one_of((1, 1, 1, 1), (2, 1, 5, 1), (1, 7, 1, 3)), DEGENERATE),
        Option("none", one_of((2, 3, 0, 4), (2, 0, 3, 4), (0, 3, 2, 4)), DEGENERATE),
        # More than 2^16 elements: a random mask that repeats after 2^16 shows.
        Option("large", draw_shape(2, (115, 125), 3, (290, 310)), SCALE),
        Option("long", draw_shape(1, 2, (8200, 9000), 3), SCALE),
    ),
)
OPERANDS = (
    axes.layouts(),
    axes.layouts("layout2", ("transposed", "strided", "expanded")),
    axes.outs(),
    Axis("values", (Option("ordinary", OMITTED), Option("wide", 4.0, VALUES))),
)
"""Axes of both operands, of `out`, and of the size of the product."""


def wide_product(input1: torch.Tensor, input2: torch.Tensor, **_: Any) -> torch.Tensor:
    """In float32 at least."""
    wide = torch.promote_types(input1.dtype, torch.float32)
    return torch.bmm(input1.to(wide), input2.to(wide))


def product_rounding(input1: torch.Tensor, input2: torch.Tensor) -> torch.Tensor:
    """The product of absolute values, more where many terms are summed."""
    growth = max(1.0, math.sqrt(input1.shape[2]) / 8)
    return growth * torch.bmm(input1.abs(), input2.abs())


def product_inputs(  # noqa: PLR0913 - a parameter for each axis
    draw: Draw,
    sizes: Sizes,
    dtype: torch.dtype,
    values: float = 1.0,
    layout: str = "contiguous",
    layout2: str = "contiguous",
    out: str = "",
    **options: Any,
) -> Call:
    """`values` is the size of the product."""
    b, n, m, p = sizes
    x = draw.laid_out(draw.normal((b, n, m), dtype, values * max(m, 1) ** -0.5), layout)
    y = draw.laid_out(draw.normal((b, m, p), dtype), layout2)
    if out:
        options["out"] = draw.laid_out(draw.normal((b, n, p), dtype), out)
    return call(x, y, **options)


class ProductCost:
    """The product, then so many operations for each output."""

    def __init__(self, flops: int) -> None:
        self.flops = flops

    def __call__(self, sizes: Sizes, dtype: torch.dtype, **_: object) -> Cost:
        b, n, m, p = sizes
        elements = b * (n * m + m * p + n * p)
        return Cost(flops=b * n * p * (2 * m + self.flops), bytes=elements * dtype.itemsize)


def product_fits(chosen: Mapping[str, str]) -> bool:
    """Whether layouts and sizes go together."""
    flat = chosen["sizes"] in ("one", "none")
    return not flat or (chosen["layout"], chosen["layout2"]) == ("contiguous", "contiguous")


def product_promises(function: Callable[..., Any]) -> tuple[Promise, ...]:
    """Standard sentences about operands, `out` and empty sizes."""
    return (
        input_strides(function, "input1 and input2 may have any strides."),
        out_is_written(function),
        may_be_empty(function, "Sizes may be 0.", "sizes", "none"),
    )


def second_strides_ignored(function: Callable[..., Any]) -> Mutant:
    """Of input2; those of input1 are the promise's."""
    return mistakes.strides_ignored(function, 1, "input2")
