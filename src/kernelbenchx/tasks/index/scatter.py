"""A copy of input with values of src written at given places along one dimension.

out = copy of input; then for every position p = (p_0, .., p_r-1) of index:
    out[p_0, .., index[p], .., p_r-1] = src[p]        (index[p] in place of p_dim)
input, index and src have the same rank r <= 4 (0-d counts as shape (1,)); index is int64. Values of
index lie in 0..input.size(dim)-1 and no two positions name the same place. Values are moved, bit
for bit; input, index and src stay as they are.
"""

import math
import random
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Call, Cost, Draw, Mutant, Promise, call, case, indexing
from kernelbenchx.spec.families.axes import dims_of, fits
from kernelbenchx.spec.families.indexing import (
    always_first_dim,
    dims,
    elements,
    index_fits,
    indices,
    negative_dim,
    places,
)
from kernelbenchx.spec.families.mistakes import first_elements_only
from kernelbenchx.spec.families.standard_promises import may_be_empty
from kernelbenchx.spec.memory_traffic import estimate_sector_share, in_a_sector
from kernelbenchx.spec.space import Axis, FreshValue, Option

Shape = tuple[int, ...]


def scatter(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> torch.Tensor:
    return input.scatter(dim, index, src)


def inputs(
    draw: Draw, shape: Shape, dim: int, index: Shape, src: Shape, dtype: torch.dtype, **how: str
) -> Call:
    """`how`: layouts and values."""
    x, y = (elements(draw, sizes, dtype, "values" in how) for sizes in (shape, src))
    found = places(draw, shape, dim, index, how.get("index_layout", "contiguous"))
    x = draw.laid_out(x, how.get("layout", "contiguous"))
    return call(x, dim, found, draw.laid_out(y, how.get("src_layout", "contiguous")))


def cost(
    shape: Shape, dim: int, index: Shape, dtype: torch.dtype, index_layout: str = "", **_: Any
) -> Cost:
    """Of src only what index names is read; of input no sector that is overwritten as a whole."""
    count, named = math.prod(shape), math.prod(index)
    once = index_layout == "expanded"  # one row of places for all others
    together = 1 if once else in_a_sector(dtype.itemsize)
    rate = index[dim] / shape[dim] if shape and shape[dim] else 1.0
    kept = int(
        count
        * estimate_sector_share(rate, together, draws=shape[dim] if once else count // together)
    )
    read = index[dim] if once else named
    return Cost(flops=0, bytes=(count + kept + named) * dtype.itemsize + 8 * read)


def _larger(chance: random.Random, before: Mapping[str, Any]) -> Shape:
    return tuple(size + chance.randrange(1, 4) for size in before["index"])


SOURCES = (
    Option("as index", FreshValue(lambda _, b: b["index"])),
    Option("larger", FreshValue(_larger)),
)
F32 = torch.float32


def _as_large_as_index(input, dim, index, src):
    return input.scatter(dim, index, src.flatten()[: index.numel()].reshape(index.shape))


def _side_by_side(input, dim, index, src):
    return input.scatter(dim, index.sort(dim).values, src)


TASK = indexing(
    scatter,
    tensors={"index": 2, "src": 3},
    moved="src",
    strides="Any argument may have any strides (an expanded index has stride 0).",
    other_dtypes=(torch.float64, torch.int64, torch.bool),
    dtype_text="input and src have the same dtype, which may be any real one.",
    arguments=(dims(), indices(), Axis("src", SOURCES)),
    valid=lambda chosen: index_fits(chosen) and fits(chosen["src_layout"], dims_of(chosen)),
    corners=(
        {"index": "shorter"},
        {"shape": "matrix", "index": "smaller", "src": "larger", "dim": "last, negative"},
        {"shape": "four dimensions", "dim": "inner", "index": "smaller", "src": "larger"},
        {"shape": "four dimensions", "dim": "last", "index": "smaller", "dtype": "bfloat16"},
        {"shape": "matrix", "layout": "transposed", "index_layout": "transposed"},
        {"shape": "matrix", "dim": "last", "index": "shorter", "index_layout": "expanded"},
        {"shape": "matrix", "index_layout": "strided", "src_layout": "transposed"},
        {"shape": "0-d"},
        {"shape": "matrix", "index": "empty"},
    ),
    promises=(
        negative_dim(scatter),
        Promise(
            "index may be smaller than the others: index.size(d) <= src.size(d) for every d, and "
            "index.size(d) <= input.size(d) for d != dim; what lies outside is neither read nor "
            "written.",
            "src",
            ("larger",),
            Mutant("src read as if it were as large as index", _as_large_as_index, ("src",)),
        ),
        may_be_empty(scatter, "index may be empty.", "index", "empty"),
    ),
    inputs=inputs,
    cost=cost,
    timings=case(shape=(65536, 256), dim=0, index=(32768, 256), src=(32768, 256), dtype=F32)
    + case(shape=(4096, 8192), dim=1, index=(4096, 6000), src=(4096, 8192), dtype=torch.bfloat16)
    + case(shape=(63, 511, 509), dim=1, index=(63, 300, 509), src=(63, 300, 509), dtype=F32),
    mutants=(
        Mutant("writes into input", lambda x, *rest: x.scatter_(*rest), ("input",)),
        Mutant("zeros elsewhere", lambda x, *rest: torch.zeros_like(x).scatter(*rest), ("input",)),
        Mutant("adds", lambda x, *rest: x.scatter_add(*rest), ("src",)),
        Mutant("values side by side, wherever they should go", _side_by_side, ("index",)),
        always_first_dim(scatter),
        first_elements_only(scatter),
    ),
    difficulty=3,
)
