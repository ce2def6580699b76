"""Axes that many tasks share."""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.space import OMITTED, Axis, Fresh, Option

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
INTEGERS = (torch.int32, torch.int64)
LAYOUTS = ("transposed", "strided", "offset", "expanded")

LAYOUT = frozenset({Scope.LAYOUT})
DTYPE = frozenset({Scope.DTYPE})
VALUES = frozenset({Scope.VALUES})
DEGENERATE = frozenset({Scope.DEGENERATE})
SCALE = frozenset({Scope.SCALE})

Sizes = Callable[[random.Random], tuple[int, ...]]


def fresh(sizes: Sizes) -> Fresh:
    """A shape that every seed draws anew."""
    return Fresh(lambda chance, _before: sizes(chance))


def fresh_number(low: int, high: int) -> Fresh:
    """A number in [low, high) that every seed draws anew."""
    return Fresh(lambda chance, _before: chance.randrange(low, high))


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


def layouts(name: str = "layout", kinds: Iterable[str] = LAYOUTS) -> Axis:
    """Of one tensor argument; `kinds`: those that are not contiguous."""
    other = tuple(Option(kind, kind, LAYOUT) for kind in kinds)
    return Axis(name, (Option("contiguous", "contiguous"), *other))


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


def argument(name: str, **options: Any) -> Axis:
    """A documented argument: ordinary values, a word for each. `None` stands for not given."""
    return Axis(
        name,
        tuple(
            Option(word.replace("_", " "), OMITTED if value is None else value)
            for word, value in options.items()
        ),
    )


def without(axis: Axis, *names: str) -> Axis:
    """The same axis less some options."""
    return Axis(axis.name, tuple(one for one in axis.options if one.name not in names))


def words(name: str, *others: str, first: str = "ordinary") -> Axis:
    """Kinds of values; all but the first ask for more."""
    return Axis(name, (Option(first, OMITTED), *(Option(one, one, VALUES) for one in others)))


def is_flat(chosen: Mapping[str, str]) -> bool:
    """Whether there is nothing that could be laid out in another way."""
    return chosen.get("shape") in ("0-d", "one element", "empty")


def _plain(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
