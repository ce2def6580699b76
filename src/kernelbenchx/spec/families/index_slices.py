"""Slices of an input along one dimension, which a one-dimensional index names."""

import random
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec.families import axes
from kernelbenchx.spec.families.axes import DEGENERATE, dims_of
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.memory_traffic import estimate_hit_share, in_a_sector
from kernelbenchx.spec.space import Axis, FreshValue, Option

Shape = tuple[int, ...]


def slice_indices() -> tuple[Axis, ...]:
    """`index`: how many entries it has, for the shape and `dim` that were drawn before."""
    counts = (
        Option("fewer than slices", FreshValue(lambda c, b: _many(c, b, 1, 2))),
        Option("more than slices", FreshValue(lambda c, b: _many(c, b, 2, 4))),
        Option("one", FreshValue(lambda _, b: min(_size(b), 1))),
        Option("empty", 0, DEGENERATE),
    )
    return Axis("index", counts), axes.layouts("index_layout", ("strided", "expanded"))


def slices_fit(chosen: Mapping[str, str]) -> bool:
    """Whether shape, dim, index and the index's layout go together; the input is never 0-d."""
    if chosen["shape"] == "0-d" or (chosen["dim"] == "inner" and dims_of(chosen) < 3):
        return False
    if chosen["shape"] == "empty" and chosen["index"] != "empty":
        return False
    several = chosen["index"] in ("fewer than slices", "more than slices") and dims_of(chosen) > 0
    return chosen["index_layout"] == "contiguous" or several


def slice_index(
    draw: Draw, size: int, count: int, layout: str = "contiguous", low: int = 0
) -> torch.Tensor:
    """So many places in [low, size), some of them twice; both ends where there is room."""
    found = draw.integers((count,), low, max(size, 1))
    if count > 2:
        found = draw.plant(found, (low, size - 1))
    return draw.laid_out(found, layout)


def read_of(shape: Shape, dim: int, count: int, itemsize: int) -> int:
    """Elements that must be read for so many slices at random places, some of them named twice."""
    inner = 1
    for size in shape[dim % len(shape) + 1 :]:
        inner *= size
    total = inner
    for size in shape[: dim % len(shape) + 1]:
        total *= size
    if not total:
        return 0
    together = max(in_a_sector(itemsize) // inner, 1)
    return int(total * estimate_hit_share(count, shape[dim] / together))


def _size(before: Mapping[str, Any]) -> int:
    return int(before["shape"][before["dim"]])


def _many(chance: random.Random, before: Mapping[str, Any], low: int, high: int) -> int:
    """Between so many halves of the dimension's size."""
    size = _size(before)
    return chance.randrange(max(low * size // 2, 1), max(high * size // 2, 2)) if size else 0
