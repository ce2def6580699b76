"""Axes that many tasks share."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.space import OMITTED, Axis, FreshValue, Option

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
INTEGERS = (torch.int32, torch.int64)
LAYOUTS = ("transposed", "strided", "offset", "expanded")
PADDED = "padded rows"
"""A layout for families that have rows: the inner stride is 1, and still there are gaps."""
OUT_LAYOUTS = ("contiguous", "transposed", "strided")

LAYOUT = frozenset({Scope.LAYOUT})
DTYPE = frozenset({Scope.DTYPE})
VALUES = frozenset({Scope.VALUES})
DEGENERATE = frozenset({Scope.DEGENERATE})
SCALE = frozenset({Scope.SCALE})

LONG = (9_000, 13_000)
"""Sizes beyond common blocks, for calls after one with a size beyond 2^16."""

Sizes = Callable[[random.Random], Any]


def fresh(sizes: Sizes) -> FreshValue:
    """A shape, or another value, that every seed draws."""
    return FreshValue(lambda chance, _before: sizes(chance))


def fresh_number(low: int, high: int) -> FreshValue:
    """A number in [low, high) that every seed draws."""
    return FreshValue(lambda chance, _before: chance.randrange(low, high))


def draw_shape(*sizes: int | tuple[int, int] | list[int]) -> FreshValue:
    """A shape: a pair stands for a size in that range, a list for one of its sizes."""

    def one(chance: random.Random, size: int | tuple[int, int] | list[int]) -> int:
        if isinstance(size, int):
            return size
        return chance.choice(size) if isinstance(size, list) else chance.randrange(*size)

    return fresh(lambda chance: tuple(one(chance, size) for size in sizes))


def one_of(*values: Any) -> FreshValue:
    """Each seed takes one of them."""
    return fresh(lambda chance: chance.choice(values))


def shapes(long: tuple[int, int] = (66_000, 74_000)) -> Axis:
    """Of an elementwise input: below, at and above common block sizes, and what has no block.

    `long`: the range of the longest vector.
    """
    return Axis(
        "shape",
        (
            Option("vector", fresh(lambda c: (c.randrange(1100, 5000),))),
            Option("whole blocks", fresh(lambda c: (c.choice((1, 2, 3)), c.choice((1024, 2048))))),
            Option("matrix", fresh(lambda c: (c.randrange(17, 60), c.randrange(33, 90)))),
            Option("small", fresh(lambda c: (c.randrange(2, 9), c.randrange(2, 9)))),
            Option("four dimensions", fresh(lambda c: tuple(c.randrange(3, 9) for _ in range(4)))),
            Option("0-d", (), DEGENERATE),
            Option("one element", fresh(lambda c: (1,) * c.randrange(1, 4)), DEGENERATE),
            Option("rows of one", fresh(lambda c: (c.randrange(3, 400), 1)), DEGENERATE),
            Option("empty", fresh(lambda c: c.choice(((0,), (0, 5), (3, 0, 4)))), DEGENERATE),
            Option("long", draw_shape(long), SCALE, after=draw_shape(LONG)),
        ),
    )


def layouts(name: str = "layout", kinds: Iterable[str] = LAYOUTS) -> Axis:
    """Of one tensor argument; `kinds`: those that are not contiguous."""
    other = tuple(Option(kind, kind, LAYOUT) for kind in kinds)
    return Axis(name, (Option("contiguous", "contiguous"), *other))


def outs(kinds: Iterable[str] = OUT_LAYOUTS) -> Axis:
    """`out=`: not given, or given with any strides."""
    given = tuple(Option(kind, kind, LAYOUT) for kind in kinds)
    return Axis("out", (Option("not given", OMITTED), *given))


def optional(name: str, kinds: Iterable[str] = ("strided", "expanded")) -> Axis:
    """A tensor that need not be given; the value is its layout."""
    return Axis(name, (Option("not given", OMITTED), *layouts(name, kinds).options))


def dtypes(
    main: Iterable[torch.dtype], others: Iterable[torch.dtype] = (), name: str = "dtype"
) -> Axis:
    """The main ones are core, all others ask for more."""
    return Axis(
        name,
        tuple(Option(_plain(one), one) for one in main)
        + tuple(Option(_plain(one), one, DTYPE) for one in others),
    )


def other_dtypes(name: str, dtypes: Iterable[torch.dtype]) -> Axis:
    """A dtype that need not be given: of the result, or of another operand."""
    options = tuple(Option(_plain(one), one, DTYPE) for one in dtypes)
    return Axis(name, (Option("not given", OMITTED), *options))


def argument(name: str, **options: Any) -> Axis:
    """A documented argument: ordinary values, a word for each. `None` stands for not given."""
    return Axis(
        name,
        tuple(
            Option(word.replace("_", " "), OMITTED if value is None else value)
            for word, value in options.items()
        ),
    )


Drawn = Callable[[Draw, tuple[int, ...], torch.dtype], torch.Tensor]
"""Draws the values of one tensor."""


@dataclass(frozen=True)
class Normal:
    """Normal values around a mean, some of them replaced by planted ones."""

    size: float = 1.0
    mean: float = 0.0
    planted: tuple[float, ...] = ()

    def __call__(self, draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        """A tensor of that shape."""
        x = draw.normal(shape, torch.float32, self.size)
        if dtype == torch.float64:
            x = x.double() * (1 + 2.0**-30)  # not what float32 can hold
        return draw.plant((x + self.mean).to(dtype), self.planted)


def values(words: Iterable[str]) -> Axis:
    """What a tensor is filled with: ordinary values, or others with a word for each."""
    options = tuple(Option(word, word, VALUES) for word in words)
    return Axis("values", (Option("ordinary", OMITTED), *options))


def fits(layout: str, dims: int) -> bool:
    """Whether a tensor of so many dimensions can be laid out like that."""
    return dims >= {"contiguous": 0, "transposed": 2, PADDED: 2}.get(layout, 1)


def dims_of(chosen: Mapping[str, str]) -> int:
    """Of a shape of `shapes`; 0 where there is nothing that could be laid out in another way."""
    many = {"vector": 1, "long": 1, "four dimensions": 4}
    return 0 if is_flat(chosen) else many.get(chosen["shape"], 2)


def without(axis: Axis, *names: str) -> Axis:
    """The same axis less some options."""
    return Axis(axis.name, tuple(one for one in axis.options if one.name not in names))


def trivial(axis: Axis, *names: str) -> Axis:
    """The same axis with some options that may ask for no work."""
    marked = (replace(one, trivial=one.trivial or one.name in names) for one in axis.options)
    return Axis(axis.name, tuple(marked))


def words(name: str, *others: str, first: str = "ordinary") -> Axis:
    """Kinds of values; all but the first ask for more."""
    return Axis(name, (Option(first, OMITTED), *(Option(one, one, VALUES) for one in others)))


def is_flat(chosen: Mapping[str, str]) -> bool:
    """Whether there is nothing that could be laid out in another way."""
    return chosen.get("shape") in ("0-d", "one element", "empty")


def _plain(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
