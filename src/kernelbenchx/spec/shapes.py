"""Shapes in plain Python: torch loads a whole computer algebra system before it broadcasts two."""

import math
from itertools import zip_longest

Shape = tuple[int, ...]


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
