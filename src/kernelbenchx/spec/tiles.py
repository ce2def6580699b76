"""Whether the sizes of a call fill several tiles of a kernel and leave an odd tail.

A call within one tile, or of whole tiles alone, passes kernels that forget the grid or the mask.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

TILE = 1024
"""Elements of a common block, and of a square tile of 32 by 32."""
SMALL_TILE = 256
"""Of 16 by 16, the smallest that `tl.dot` takes: where a larger result costs too much."""
STEP = 16
"""Every common block is a multiple of it."""


def spans_tiles(params: Mapping[str, Any]) -> bool:
    """By the `shape` of an input, or the `sizes` of a product; every call where it has neither."""
    if "shape" in params:
        return fills_tiles(params["shape"])
    return "sizes" not in params or _of_product(params)


def fills_tiles(sizes: Sequence[int], tile: int = TILE) -> bool:
    """Whether a tensor of these sizes does.

    Where its elements are no multiple of a step, none of its sizes is one: rows, columns and the
    flat tensor all have an odd tail.
    """
    count = math.prod(sizes)
    return count > tile and count % STEP > 0


def has_odd_size(sizes: Sequence[int]) -> bool:
    """Whether one of them is no whole number of steps."""
    return any(size % STEP for size in sizes)


def with_many(name: str) -> Callable[[Mapping[str, Any]], bool]:
    """The same, and where a further shape is given, it has more than one small step of elements."""
    return lambda params: spans_tiles(params) and math.prod(params.get(name, (STEP + 1,))) > STEP


def _of_product(params: Mapping[str, Any]) -> bool:
    """Of `sizes` (..., m, k, n): the result is larger than a tile, and no size is a whole number
    of steps. With a vector for a matrix there is one row alone."""
    m, k, n = params["sizes"][-3:]
    matrices = None not in params.get("ranks", ())
    return matrices and m * n > TILE and all(size % STEP for size in (m, k, n))


def has_several_matrices(params: Mapping[str, Any]) -> bool:
    """For decompositions, where each matrix has a program of its own and is small."""
    *leading, _, columns = params["shape"]
    return math.prod(leading) > 1 and bool(leading) and columns % STEP > 0
