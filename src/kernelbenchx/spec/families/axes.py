"""Axes that many tasks share."""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.space import OMITTED, Axis, Fresh, Option

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
INTEGERS = (torch.int32, torch.int64)

LAYOUT = frozenset({Scope.LAYOUT})
DTYPE = frozenset({Scope.DTYPE})
VALUES = frozenset({Scope.VALUES})
DEGENERATE = frozenset({Scope.DEGENERATE})
SCALE = frozenset({Scope.SCALE})

Sizes = Callable[[random.Random], Any]


def fresh(sizes: Sizes) -> Fresh:
    """A shape, or another value, that every seed draws anew."""
    return Fresh(lambda chance, _before: sizes(chance))


def drawn(*sizes: int | tuple[int, int] | list[int]) -> Fresh:
    """A shape: a pair stands for a size in that range, a list for one of its sizes."""

    def one(chance: random.Random, size: int | tuple[int, int] | list[int]) -> int:
        if isinstance(size, int):
            return size
        return chance.choice(size) if isinstance(size, list) else chance.randrange(*size)

    return fresh(lambda chance: tuple(one(chance, size) for size in sizes))


def one_of(*values: Any) -> Fresh:
    """Each seed takes one of them."""
    return fresh(lambda chance: chance.choice(values))


def shapes() -> Axis:
    """Of an elementwise input: below, at and above common block sizes, and what has no block."""
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
            Option("long", fresh(lambda c: (c.randrange(66_000, 74_000),)), SCALE),
        ),
    )


LAYOUTS = ("transposed", "strided", "offset", "expanded")


def layouts(name: str = "layout", others: Iterable[str] = LAYOUTS) -> Axis:
    """Of one tensor argument."""
    found = (Option(one, one, LAYOUT) for one in others)
    return Axis(name, (Option("contiguous", "contiguous"), *found))


def values(*words: str) -> Axis:
    """What the elements are drawn from: ordinary, or what a word says."""
    return Axis(
        "values", (Option("ordinary", OMITTED), *(Option(word, word, VALUES) for word in words))
    )


def outs() -> Axis:
    """`out=`: not given, or given with any strides."""
    return Axis(
        "out",
        (
            Option("not given", OMITTED),
            Option("contiguous", "contiguous", LAYOUT),
            Option("transposed", "transposed", LAYOUT),
            Option("strided", "strided", LAYOUT),
        ),
    )


def dtypes(
    main: Iterable[torch.dtype], others: Iterable[torch.dtype] = (), name: str = "dtype"
) -> Axis:
    """The main ones are core, all others ask for more."""
    return Axis(
        name,
        tuple(Option(_plain(one), one) for one in main)
        + tuple(Option(_plain(one), one, DTYPE) for one in others),
    )


def argument(name: str, **options: Any) -> Axis:
    """A documented argument: ordinary values, a word for each. `None` stands for not given."""
    return Axis(
        name,
        tuple(
            Option(word.replace("_", " "), OMITTED if value is None else value)
            for word, value in options.items()
        ),
    )


def fits(layout: str, dims: int) -> bool:
    """Whether a tensor of so many dimensions can be laid out like that."""
    return dims >= {"contiguous": 0, "transposed": 2}.get(layout, 1)


def dims_of(chosen: Mapping[str, str]) -> int:
    """Of a shape of `shapes`; 0 where there is nothing that could be laid out in another way."""
    many = {"vector": 1, "long": 1, "four dimensions": 4}
    return 0 if is_flat(chosen) else many.get(chosen["shape"], 2)


def is_flat(chosen: Mapping[str, str]) -> bool:
    """Whether there is nothing that could be laid out in another way."""
    return chosen.get("shape") in ("0-d", "one element", "empty")


def _plain(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
