"""Tensors in which a search for the smallest or the largest element goes wrong easily."""

import itertools
import math
from collections.abc import Iterator, Sequence

import torch

from kernelbenchx.spec.families.axes import Drawn
from kernelbenchx.spec.inputs import Draw

Shape = tuple[int, ...]


def near_ties(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
    """Numbers of float32 that 16 bits cannot tell apart; in 16 bits they are ties."""
    return draw.uniform(shape, dtype, 1.0, 1.0001)


def tied_zeros(low: int, high: int) -> Drawn:
    """Whole numbers in [low, high), of which zeros of both signs are the extreme."""

    def draw_tied_zeros(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
        return draw.plant(draw.integers(shape, low, high).to(dtype), (-0.0,) * 40)

    return draw_tied_zeros


def at_the_end(others: Drawn, extreme: float) -> Drawn:
    """The last element is the extreme."""

    def draw_extreme_last(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
        x = others(draw, shape, dtype)
        x.view(-1)[-1:] = extreme
        return x

    return draw_extreme_last


def plant_in_slices(
    draw: Draw, x: torch.Tensor, dim: int | Sequence[int] | None, values: Sequence[float]
) -> None:
    """Write values into the first, a middle and the last tile of slices along `dim`.

    The first slice holds the first value alone, at its beginning: a kernel that keeps only what the
    last tile gave loses it. See `_plans` for the others.
    """
    dims = tuple(range(x.dim())) if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    if not x.numel() or not x.dim():
        return
    order = torch.arange(x.numel(), device=x.device).view(x.shape)
    length = math.prod(x.shape[d] for d in dims)
    slices = order.movedim(dims, tuple(range(-len(dims), 0))).reshape(-1, length)
    first, middle, last = draw.integers((3,), 0, max(min(length // 3, 16), 1)).tolist()
    places = (first, (length // 2 + middle) % length, length - 1 - last)
    rows = draw.permutation(len(slices)).tolist()
    for row, plan in zip(rows, _plans(values), strict=False):
        for place, value in zip(places, plan, strict=True):
            if value is not None:
                x.view(-1)[slices[row, place]] = value


def _plans(values: Sequence[float]) -> Iterator[tuple[float | None, ...]]:
    """What slices hold in their first, a middle and their last tile, what matters most first."""
    main, *others = values
    yield main, None, None
    yield None, None, main
    yield main, None, main
    yield from ((one, None, None) for one in others)
    yield from ((None, None, one) for one in others)
    yield from ((None, one, None) for one in values)
    yield from ((one, None, two) for one, two in itertools.combinations(others, 2))


def neighbours(sign: int) -> Drawn:
    """Integers of one sign that float32 (and for int64 float64) cannot tell apart."""

    def draw_neighbours(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
        base = 2**30 if dtype == torch.int32 else 2**60
        low = base - 500 if sign > 0 else -base
        return draw.integers(shape, low, low + 500, dtype)

    return draw_neighbours
