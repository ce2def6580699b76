"""Fourier transforms over several dimensions: sizes, the transform on the host, axes of calls."""

import math
import random
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families.axes import DEGENERATE, SCALE, argument, draw_shape, fresh, one_of
from kernelbenchx.spec.space import OMITTED, Axis, Chosen, FreshValue, Option

Ints = tuple[int, ...]


def transform(
    input: torch.Tensor, s: Ints | None, dim: Ints | None, norm: str | None
) -> torch.Tensor:
    """Of torch; on the host by products, and of nothing: some FFT libraries refuse legal shapes."""
    if input.device.type != "cpu" and input.numel():
        given: torch.Tensor = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
        return given
    wide, count = input.to(torch.complex128), 1
    for axis, size in zip(*plan(tuple(input.shape), s, dim), strict=True):
        line = wide.movedim(axis, -1)[..., :size]
        line = torch.nn.functional.pad(line, (0, size - line.shape[-1]))
        wide = _along_last(line).movedim(-1, axis)
        count *= size
    wide = wide / {"ortho": math.sqrt(count), "forward": count}.get(norm or "", 1)
    return wide if input.dtype.to_complex() == torch.complex128 else wide.to(torch.complex64)


def _along_last(line: torch.Tensor) -> torch.Tensor:
    """A product with all twiddle factors; of a long line with those of two factors of its size."""
    size = line.shape[-1]
    first = max(d for d in range(1, math.isqrt(size) + 1) if size % d == 0)
    if size < 1000 or first == 1:
        return line @ _turns(size, size, size, line.device)
    second = size // first
    parts = line.reshape(*line.shape[:-1], first, second).transpose(-1, -2)
    parts = (parts @ _turns(first, first, first, line.device)).transpose(-1, -2)
    parts = parts * _turns(first, second, size, line.device)
    return (parts @ _turns(second, second, second, line.device)).transpose(-1, -2).flatten(-2)


def _turns(rows: int, columns: int, size: int, device: torch.device) -> torch.Tensor:
    steps = torch.outer(torch.arange(rows, device=device), torch.arange(columns, device=device))
    turns = steps.remainder(size).double() * (-2 * math.pi / size)
    return torch.polar(torch.ones_like(turns), turns)


def plan(shape: Ints, s: Ints | None, dim: Ints | None) -> tuple[list[int], list[int]]:
    """Transformed dimensions and their sizes."""
    if dim is None:
        first = 0 if s is None else len(shape) - len(s)
        dims = list(range(first, len(shape)))
    else:
        dims = [d % len(shape) for d in dim]
    wanted = [-1] * len(dims) if s is None else list(s)
    return dims, [shape[d] if n == -1 else n for d, n in zip(dims, wanted, strict=True)]


def cost(
    shape: Ints, dtype: torch.dtype, s: Ints | None = None, dim: Ints | None = None, **_: object
) -> Cost:
    """Of a fast transform in one pass over memory."""
    dims, sizes = plan(shape, s, dim)
    result = [*shape]
    for d, size in zip(dims, sizes, strict=True):
        result[d] = size
    points = math.prod(result)
    steps = math.log2(max(math.prod(sizes), 2))
    moved = math.prod(shape) * dtype.itemsize + points * dtype.to_complex().itemsize
    return Cost(flops=round(5 * points * steps), bytes=moved)


def size(
    input: torch.Tensor,
    s: Ints | None = None,
    dim: Ints | None = None,
    norm: str | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """The sum of absolute values that reach an element, grown by the stages of a fast transform."""
    dims, sizes = plan(input.shape, s, dim)
    terms, count = input.abs(), math.prod(sizes)
    for d, size in zip(dims, sizes, strict=True):
        terms = terms.narrow(d, 0, min(size, terms.shape[d])).sum(d, keepdim=True)
    factor = {"ortho": count**-0.5, "forward": 1.0 / count}.get(norm or "", 1.0)
    terms = terms * factor * max(1.0, math.log2(count) / 2)
    return terms if out is None else (terms, terms)


def _sizes(word: str) -> FreshValue:
    """`s` for the shape and the dimensions that were drawn before."""

    def draw(chance: random.Random, before: Mapping[str, Any]) -> Ints:
        _, sizes = plan(before["shape"], None, before.get("dim"))
        if word == "cut":
            return tuple(max(size - chance.randrange(1, 5), 1) for size in sizes)
        longer = [size + chance.randrange(1, 9) for size in sizes]
        if word == "one kept":
            longer[chance.randrange(len(longer))] = -1
        return tuple(longer[-1:] if word == "last only" else longer)

    return FreshValue(draw)


AXES = (
    Axis(
        "shape",
        (
            Option("matrix", draw_shape((6, 17), (6, 17))),
            Option("vector", draw_shape((100, 260))),
            Option("prime", fresh(lambda c: (c.choice((67, 101, 131)),))),
            Option("power of two", fresh(lambda c: (c.choice((1, 3)), c.choice((256, 1024))))),
            Option("three dimensions", draw_shape((3, 7), (5, 9), (5, 12))),
            Option("0-d", (), DEGENERATE),
            Option("size one", fresh(lambda c: c.choice(((1,), (1, 1), (5, 1)))), DEGENERATE),
            Option("no batch", draw_shape((0, 1), (3, 9)), DEGENERATE),
            Option(
                "long",
                draw_shape([4096, 4200, 5000, 6561]),
                SCALE,
                after=draw_shape([1050, 1215, 2048]),
            ),
        ),
    ),
    Axis(
        "dim",
        (
            Option("not given", OMITTED),
            Option("none", None),
            Option("last", (-1,)),
            Option("first", (0,)),
            Option("two", one_of((0, 1), (0, -1))),
            Option("two in falling order", one_of((1, 0), (-1, 0))),
        ),
    ),
    Axis(
        "s",
        (
            Option("not given", OMITTED),
            *(Option(word, _sizes(word)) for word in ("cut", "longer", "one kept", "last only")),
        ),
    ),
    argument("norm", not_given=None, backward="backward", ortho="ortho", forward="forward"),
)
"""Of the arguments; those of dtype and layout come behind them."""


def is_valid(chosen: Chosen) -> bool:
    """Whether the input has these dimensions, sizes and strides."""
    shape, dim, s = chosen["shape"], chosen["dim"], chosen["s"]
    every = dim in ("not given", "none")
    lines = ("vector", "prime", "long", "power of two")
    if shape == "0-d":
        plain = chosen["layout"] == "contiguous" and chosen["out"] in ("not given", "contiguous")
        return every and s == "not given" and plain
    if shape == "no batch" and (dim != "last" or chosen["layout"] != "contiguous"):
        return False
    if dim.startswith("two") and shape not in ("matrix", "three dimensions"):
        return False
    if s != "not given" and shape in ("size one", "long", "power of two"):
        return False
    if s == "last only" and not (every and shape in ("matrix", "three dimensions")):
        return False
    return not ("transposed" in (chosen["layout"], chosen["out"]) and shape in lines)
