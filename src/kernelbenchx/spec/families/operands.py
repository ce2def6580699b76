"""Two operands that broadcast and promote: their shapes, dtypes and layouts."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import torch

from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    FLOATS,
    INTEGERS,
    LAYOUT,
    dtypes,
    fresh,
    is_flat,
    layouts,
    other_dtypes,
    shapes,
)
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.space import OMITTED, Axis, Chosen, FreshValue, Option

Number = int | float
Shape = tuple[int, ...]


def wide_integers(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
    """Wider than float32's (and for int64 float64's) integers, too small to overflow."""
    reach = 2**28 if dtype == torch.int32 else 2**60
    return draw.integers(shape, -reach, reach, dtype)


def in_float64(reference: Callable[..., torch.Tensor], formula: Callable[..., torch.Tensor]) -> Any:
    """The truth: the formula in float64, or the reference where the result is an integer."""

    def exact(
        input: torch.Tensor, other: Any, out: torch.Tensor | None = None, **words: Any
    ) -> torch.Tensor:
        if not reference(input, other, **words).is_floating_point():
            return reference(input, other, out=out, **words)
        wide = other.double() if isinstance(other, torch.Tensor) else other
        result = formula(input.double(), wide, **words)
        if out is not None:
            out.copy_(result)
        return result

    return exact


def operands(numbers: Sequence[float]) -> tuple[Axis, ...]:
    """The axes of `input` and `other`, which may be one of these numbers."""
    return (
        _shapes(),
        _others(numbers),
        dtypes(FLOATS, INTEGERS),
        other_dtypes("other_dtype", (torch.float32, torch.bfloat16, torch.int64)),
        layouts(),
        _OTHER_LAYOUT,
    )


def _shapes() -> Axis:
    """Those of an elementwise input, and one that `other` stretches."""
    whole = shapes()
    gap = Option("gap", fresh(lambda c: (c.randrange(3, 14), 1, c.randrange(3, 40))))
    return Axis("shape", (*whole.options[:5], gap, *whole.options[5:]))


def _others(numbers: Sequence[float]) -> Axis:
    """A tensor that broadcasts in every way, or a number."""
    return Axis(
        "other",
        (
            Option("same shape", OMITTED),
            Option("row", _like(lambda _, shape: shape[-1:])),
            Option("column", _like(lambda _, shape: (*shape[:-1], 1))),
            Option("more dimensions", _like(lambda c, shape: (c.randrange(2, 4), 1, *shape))),
            Option("stretches both", _like(lambda c, _: (c.randrange(3, 14), 1))),
            Option("0-d tensor", (), trivial=True),
            Option("number", _one_of(numbers), trivial=0 in numbers, number=True),
            Option("whole number", _one_of((-3, 7, 3)), trivial=True),
            Option("empty", (0,), DEGENERATE),
        ),
    )


def _like(shaped: Callable[[random.Random, Shape], Shape]) -> FreshValue:
    return FreshValue(lambda chance, before: shaped(chance, before["shape"]))


def _one_of(numbers: Sequence[Number]) -> FreshValue:
    return FreshValue(lambda chance, _before: chance.choice(numbers))


_OTHER_LAYOUT = Axis(
    "other_layout",
    (
        Option("contiguous", OMITTED),
        Option("transposed", "transposed", LAYOUT),
        Option("strided", "strided", LAYOUT),
        Option("expanded", "expanded", LAYOUT),
    ),
)
CORNERS: tuple[Chosen, ...] = (
    {"dtype": "float32"},
    {"dtype": "float16"},
    {"dtype": "bfloat16"},
    {"dtype": "int64"},
    {"dtype": "float16", "other_dtype": "float32"},
    {"shape": "matrix", "layout": "transposed"},
    {"shape": "matrix", "other": "column"},
    {"shape": "0-d"},
    {"shape": "empty"},
)
NUMBERS = ("number", "whole number")
_TINY = ("0-d", "one element")
_RANK_ONE = ("vector", "long")


def is_valid(chosen: Chosen) -> bool:
    """Whether shapes, dtypes and layouts of both operands go together."""
    shape, other = chosen["shape"], chosen["other"]
    integral = any(chosen[name].startswith("int") for name in ("dtype", "other_dtype"))
    if chosen["values"] != "ordinary" and integral:
        return False
    if other in NUMBERS and chosen["other_dtype"] != "not given":
        return False
    single = (shape == "0-d") != (other == "0-d tensor")
    if single and not integral and chosen["other_dtype"] not in ("not given", chosen["dtype"]):
        return False  # the 0-d operand may be rounded to the result's dtype before or after
    return _shapes_fit(shape, other) and _layouts_fit(chosen)


def _shapes_fit(shape: str, other: str) -> bool:
    if other == "stretches both":
        return shape == "gap"
    if other == "empty":
        return shape in _TINY
    if other in ("row", "column"):
        return shape not in (*_RANK_ONE, *_TINY, "empty")
    return not (other == "more dimensions" and shape in ("long", "empty"))


def _layouts_fit(chosen: Chosen) -> bool:
    shape, other, out = chosen["shape"], chosen["other"], chosen.get("out", "not given")
    flat = is_flat(chosen)
    if flat and (chosen["layout"], chosen["other_layout"], out) != ("contiguous",) * 2 + (out,):
        return False
    if "transposed" in (chosen["layout"], out) and (flat or shape in _RANK_ONE):
        return False
    if chosen["other_layout"] == "transposed":
        return other == "more dimensions" or (other == "same shape" and shape not in _RANK_ONE)
    return chosen["other_layout"] == "contiguous" or other not in (*NUMBERS, "0-d tensor")
