"""Orders of the dimensions of an input."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernelbenchx.spec.families.axes import dims_of
from kernelbenchx.spec.space import Axis, FreshValue, Option
from kernelbenchx.spec.tiles import spans_tiles

Make = Callable[[random.Random, list[int]], Sequence[int]]


def orders() -> Axis:
    """The argument `dims`, for the shape that was drawn before."""
    return Axis(
        "dims",
        (
            Option("reversed", _order(lambda _, dims: dims[::-1])),
            Option("swapped", _order(lambda _, dims: dims[:-2] + dims[-2:][::-1])),
            Option("rotated", _order(lambda _, dims: dims[-1:] + dims[:-1])),
            Option("mixed", _order(lambda chance, dims: tuple(_shuffle_dims(chance, dims)))),
            Option("negative", _order(_negative)),
            Option("unchanged", _order(lambda _, dims: dims), trivial=True),
        ),
    )


def order_fits(chosen: Mapping[str, str]) -> bool:
    """Whether the shape has as many dimensions as the order needs to be another one."""
    return dims_of(chosen) > 1 or chosen["dims"] in ("reversed", "mixed", "unchanged")


def moves_tiles(params: Mapping[str, Any]) -> bool:
    """Whether an input over several tiles is not simply copied."""
    dims = len(params["shape"])
    return spans_tiles(params) and [d % dims for d in params["dims"]] != list(range(dims))


def _order(make: Make) -> FreshValue:
    return FreshValue(lambda chance, before: make(chance, list(range(len(before["shape"])))))


def _shuffle_dims(chance: random.Random, dims: list[int]) -> list[int]:
    return chance.sample(dims, len(dims))


def _negative(chance: random.Random, dims: list[int]) -> list[int]:
    """Some of them from the end, the first one always."""
    return [d - len(dims) * (d % 3 < 2) for d in _shuffle_dims(chance, dims)]
