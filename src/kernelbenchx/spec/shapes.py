"""Shapes in plain Python: torch loads a whole computer algebra system before it broadcasts two."""

import math
from itertools import zip_longest
from typing import Any

Shape = tuple[int, ...]
Sizes = int | Shape
"""One number for all dimensions, or one for each."""


def broadcast(first: Shape, second: Shape) -> Shape:
    """The shape that two tensors have together, by torch's rules."""
    sizes = list(zip_longest(reversed(first), reversed(second), fillvalue=1))
    if any(a != b and 1 not in (a, b) for a, b in sizes):
        raise ValueError(f"{first} and {second} do not broadcast")
    return tuple(b if a == 1 else a for a, b in reversed(sizes))


def reduced_count(shape: Shape, dim: int | Shape | None) -> int:
    """How many results a reduction over `dim` has; None and () stand for all dimensions."""
    dims = (dim,) if isinstance(dim, int) else dim or range(len(shape))
    gone = {d % max(len(shape), 1) for d in dims}
    return math.prod(size for d, size in enumerate(shape) if d not in gone)


def per_dimension(sizes: Sizes, rank: int) -> Shape:
    """One number stands for all dimensions."""
    return (sizes,) * rank if isinstance(sizes, int) else tuple(sizes)


def compute_pooled_sizes(
    sizes: Shape,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    **_: Any,
) -> Shape:
    """What windows leave of dimensions; with `ceil_mode` none starts behind the input."""
    given = (kernel_size, kernel_size if stride is None else stride, padding, dilation)
    found = []
    for size, window, step, pad, reach in zip(
        sizes, *(per_dimension(one, len(sizes)) for one in given), strict=True
    ):
        room = size + 2 * pad - reach * (window - 1) - 1
        count = (-(-room // step) if ceil_mode else room // step) + 1
        found.append(count - (ceil_mode and (count - 1) * step >= size + pad))
    return tuple(found)
