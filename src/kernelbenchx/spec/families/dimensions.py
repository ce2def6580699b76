"""Shapes of what is computed along dimensions, and the dimensions that are asked for."""

import random
from collections.abc import Iterable
from typing import Any

from kernelbenchx.spec.families.axes import DEGENERATE, LONG, SCALE, draw_shape, fresh
from kernelbenchx.spec.space import OMITTED, Axis, FreshValue, Option

Dim = int | tuple[int, ...] | None
Shape = tuple[int, ...]

ONE = ("last", "first", "middle", "first from the end")
"""Words for one dimension."""
SEVERAL = ("two", "tuple of one", "all in a tuple")


def shapes(empty_slices: bool = True, long: int = 70_000) -> Axis:
    """Slices below and above common blocks, up to about `long`, and what has no block."""
    near = (long * 19 // 20, long * 21 // 20)
    nothing = (Option("nothing to reduce", fresh(lambda c: (0, c.randrange(2, 9))), DEGENERATE),)
    return Axis(
        "shape",
        (
            Option("rows", fresh(lambda c: (c.randrange(2, 7), c.randrange(1100, 2000)))),
            Option("wide rows", fresh(lambda c: (c.randrange(3, 5), c.randrange(4200, 6000)))),
            Option("columns", fresh(lambda c: (c.randrange(1030, 1300), c.choice((3, 5, 6))))),
            Option("vector", fresh(lambda c: (c.randrange(5000, 9999),))),
            Option("matrix", fresh(lambda c: (c.randrange(17, 60), c.randrange(33, 90)))),
            Option("three dimensions", fresh(lambda c: (c.randrange(3, 7), *_few(c, 9, 33, 2)))),
            Option("four dimensions", fresh(lambda c: _few(c, 3, 9, 4))),
            Option("0-d", (), DEGENERATE),
            Option("size one", fresh(_with_size_one), DEGENERATE),
            *(nothing if empty_slices else ()),
            Option("no slices", fresh(lambda c: (0, c.randrange(2, 9))), DEGENERATE),
            Option("long rows", draw_shape(1, near), SCALE, after=draw_shape(1, LONG)),
            Option("long columns", draw_shape(near, 1), SCALE, after=draw_shape(LONG, 1)),
        ),
    )


def _few(chance: random.Random, low: int, high: int, count: int) -> Shape:
    return tuple(chance.randrange(low, high) for _ in range(count))


def _with_size_one(chance: random.Random) -> Shape:
    """Slices of one element along the last dimension, or one slice."""
    return chance.choice(((chance.randrange(3, 99), 1), (1, chance.randrange(3, 999)), (1, 1)))


def dims(words: Iterable[str]) -> Axis:
    """The argument `dim`, for the shape that was drawn before."""
    return Axis("dim", tuple(Option(word, _dim(word)) for word in words))


def fits(shape: str, dim: str) -> bool:
    """Whether the words of both axes go together."""
    return dim in _FITTING.get(shape, {dim})


def _dim(word: str) -> Any:
    """Of the shape that was drawn before."""
    if word == "not given":
        return OMITTED
    return FreshValue(lambda chance, before: _chosen_dim(word, chance, len(before["shape"])))


def _chosen_dim(word: str, chance: random.Random, rank: int) -> Dim:
    if word == "two":
        first, second = chance.sample(range(rank), 2)
        return first, second - rank
    if word == "all in a tuple":
        return tuple(chance.sample(range(rank), rank))
    plain: dict[str, Dim] = {
        "last": -1,
        "first": 0,
        "middle": 1,
        "first from the end": -max(rank, 1),
        "tuple of one": (rank - 1,),
        "none": None,
    }
    return plain[word]


_ALL = {"none", "not given", "all in a tuple"}
_LAST = {"last", "tuple of one", *_ALL}
_FIRST = {"first", "first from the end", *_ALL}
_FITTING = {
    "rows": _LAST | _FIRST,
    "wide rows": _LAST,
    "columns": _FIRST,
    "vector": _LAST | {"first"},
    "matrix": _LAST | _FIRST,
    "0-d": {"last", "first", "none", "not given"},
    "size one": _LAST | _FIRST,
    "nothing to reduce": _FIRST,
    "no slices": _LAST - _ALL,
    "long rows": _LAST,
    "long columns": _FIRST,
}
"""The dimensions that go with a shape; all with those of three and four dimensions."""
