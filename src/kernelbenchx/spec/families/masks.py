"""Masks that broadcast against an input, with exactly so many elements set."""

import math
import random
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec.families.axes import DEGENERATE, argument, dims_of, fits, trivial
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.space import OMITTED, Axis, FreshValue, Option

Shape = tuple[int, ...]


def rates() -> Axis:
    """`rate`: which share of a mask is True."""
    some = argument("rate", half=0.5, few=0.03, most=0.97, all=1.0).options
    return trivial(Axis("rate", (*some, Option("none", 0.0, DEGENERATE))), "all")


def masks() -> Axis:
    """`mask`: its shape, for the shape of the input that was drawn before; not given: the same."""
    return Axis(
        "mask",
        (
            Option("as input", OMITTED),
            Option("crossed", FreshValue(_draw_crossed_shape)),
            Option("fewer dimensions", FreshValue(lambda _, before: before["shape"][1:])),
            Option(
                "more dimensions",
                FreshValue(lambda c, before: (c.randrange(2, 5), *before["shape"])),
            ),
            Option("0-d", (), DEGENERATE),
        ),
    )


def mask_fits(chosen: Mapping[str, str]) -> bool:
    """Whether the mask and its layout go with the shape of the input."""
    dims = dims_of(chosen)
    more = {"fewer dimensions": -1, "more dimensions": 1, "0-d": -dims}.get(chosen["mask"], 0)
    if (chosen["shape"] == "long" and more > 0) or (chosen["shape"] == "0-d" and more < 0):
        return False
    return fits(chosen["mask_layout"], (dims + more) * (dims > 0))


def drawn_mask(draw: Draw, shape: Shape, rate: float) -> torch.Tensor:
    """True at `count_selected` random places: so many, that the bytes that move are known."""
    return draw.choose_mask(math.prod(shape), count_selected(shape, rate)).reshape(shape)


def count_selected(shape: Shape, rate: float) -> int:
    """How many elements of a mask are True."""
    return round(rate * math.prod(shape))


def _draw_crossed_shape(chance: random.Random, before: Mapping[str, Any]) -> Shape:
    """Some dimensions of the mask have size 1; where the input has size 1, the mask has more."""
    return tuple(
        chance.randrange(2, 9) if size == 1 else chance.choice((1, size))
        for size in before["shape"]
    )
