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

from kernelbenchx.spec import Call, Cost, Draw, Exact, Mutant, Promise, Task, call, case
from kernelbenchx.spec.families import axes, wrong
from kernelbenchx.spec.families.axes import DEGENERATE, FLOATS, dims_of, fits, fresh
from kernelbenchx.spec.families.sentences import input_strides, may_be_empty
from kernelbenchx.spec.space import Axis, Fresh, Option, Space
from kernelbenchx.spec.traffic import in_a_sector, needed

Shape = tuple[int, ...]
SPECIAL = (0.0, -0.0, math.inf, -math.inf, math.nan, 1e-7)


def scatter(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> torch.Tensor:
    return input.scatter(dim, index, src)


def inputs(
    draw: Draw, shape: Shape, dim: int, index: Shape, src: Shape, dtype: torch.dtype, **how: str
) -> Call:
    """`how`: layouts and values."""
    x, y = (_elements(draw, sizes, dtype, "values" in how) for sizes in (shape, src))
    expanded = how.get("index_layout") == "expanded"  # one row of places for all others
    along = dim % max(len(shape), 1)
    alike = tuple(1 if expanded and d != along else size for d, size in enumerate(index))
    places = draw.distinct(alike, dim, shape[dim] if shape else 1).expand(index)
    if not expanded:
        places = draw.laid_out(places, how.get("index_layout", "contiguous"))
    x = draw.laid_out(x, how.get("layout", "contiguous"))
    return call(x, dim, places, draw.laid_out(y, how.get("src_layout", "contiguous")))


def _elements(draw: Draw, shape: Shape, dtype: torch.dtype, special: bool) -> torch.Tensor:
    if not dtype.is_floating_point:
        return draw.integers(shape, -(2**62), 2**62).to(dtype)
    return draw.planted(draw.normal(shape, dtype), SPECIAL if special else ())


def cost(
    shape: Shape, dim: int, index: Shape, dtype: torch.dtype, index_layout: str = "", **_: Any
) -> Cost:
    """Of src only what index names is read; of input no sector that is overwritten as a whole."""
    count, named = math.prod(shape), math.prod(index)
    once = index_layout == "expanded"  # one row of places for all others
    together = 1 if once else in_a_sector(dtype.itemsize)
    rate = index[dim] / shape[dim] if shape and shape[dim] else 1.0
    kept = int(count * needed(rate, together, draws=shape[dim] if once else count // together))
    places = index[dim] if once else named
    return Cost(flops=0, bytes=(count + kept + named) * dtype.itemsize + 8 * places)


def _index(chance: random.Random, before: Mapping[str, Any], everywhere: bool) -> Shape:
    """Shorter along `dim`, or everywhere."""
    shape, dim = before["shape"], before["dim"]
    return tuple(
        chance.randrange(size // 2, size)
        if size > 1 and (everywhere or d == dim % len(shape))
        else size
        for d, size in enumerate(shape)
    )


def _larger(chance: random.Random, before: Mapping[str, Any]) -> Shape:
    return tuple(size + chance.randrange(1, 4) for size in before["index"])


def _empty(chance: random.Random, before: Mapping[str, Any]) -> Shape:
    gone = chance.randrange(len(before["shape"]))
    return tuple(0 if d == gone else size for d, size in enumerate(before["shape"]))


DIMS = (
    Option("first", 0),
    Option("inner", fresh(lambda c: c.choice((1, 2, -2, -3)))),
    Option("last", Fresh(lambda _, before: max(len(before["shape"]), 1) - 1)),
    Option("last, negative", -1),
    Option("first, negative", Fresh(lambda _, before: -max(len(before["shape"]), 1))),
)
INDICES = (
    Option("as input", Fresh(lambda _, before: before["shape"])),
    Option("shorter", Fresh(lambda c, before: _index(c, before, False))),
    Option("smaller", Fresh(lambda c, before: _index(c, before, True))),
    Option("empty", Fresh(_empty), DEGENERATE),
)
SOURCES = (Option("as index", Fresh(lambda _, b: b["index"])), Option("larger", Fresh(_larger)))


def _is_valid(chosen: Mapping[str, str]) -> bool:
    dims = dims_of(chosen)
    if not all(fits(chosen[one], dims) for one in ("layout", "index_layout", "src_layout")):
        return False
    if (chosen["dim"] == "inner" and dims < 3) or (chosen["index"] != "as input" and dims == 0):
        return False
    if chosen["index_layout"] != "contiguous" and (dims < 2 or chosen["index"] == "empty"):
        return False
    return chosen["values"] == "ordinary" or "float" in chosen["dtype"]


def _along(input, dim, index, src):
    """Along another dimension, as far as that reaches."""
    return input.scatter(dim, index.clamp(max=max(input.size(dim) - 1, 0)), src)


def _off_by_one(input, dim, index, src):
    return _along(input, dim - 1 if dim < 0 and -dim < input.dim() else dim, index, src)


def _as_large_as_index(input, dim, index, src):
    return input.scatter(dim, index, src.flatten()[: index.numel()].reshape(index.shape))


TASK = Task(
    reference=scatter,
    inputs=inputs,
    cost=cost,
    contract=Exact(signed_zero=True),
    space=Space(
        (
            axes.shapes(),
            Axis("dim", DIMS),
            Axis("index", INDICES),
            Axis("src", SOURCES),
            axes.dtypes(FLOATS, (torch.float64, torch.int64, torch.bool)),
            axes.layouts(),
            axes.layouts("index_layout", ("transposed", "strided", "expanded")),
            axes.layouts("src_layout", ("transposed", "strided", "expanded")),
            axes.values(("special",)),
        ),
        valid=_is_valid,
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
    ),
    promises=(
        Promise(
            "dim may be negative.",
            "dim",
            ("last, negative", "first, negative"),
            Mutant("negative dim off by one", _off_by_one, ("dim",)),
        ),
        Promise(
            "index may be smaller than the others: index.size(d) <= src.size(d) for every d, and "
            "index.size(d) <= input.size(d) for d != dim; what lies outside is neither read nor "
            "written.",
            "src",
            ("larger",),
            Mutant("src read as if it were as large as index", _as_large_as_index, ("src",)),
        ),
        may_be_empty(scatter, "index may be empty.", "index", "empty"),
        input_strides(
            scatter, "Any argument may have any strides (an expanded index has stride 0)."
        ),
        Promise(
            "input and src have the same dtype, which may be any real one.",
            "dtype",
            ("float64", "int64", "bool"),
            wrong.moved_as_float32(scatter, 3, "src"),
        ),
    ),
    timings=(
        case(shape=(65536, 256), dim=0, index=(32768, 256), src=(32768, 256), dtype=torch.float32)
        + case(
            shape=(4096, 8192), dim=1, index=(4096, 6000), src=(4096, 8192), dtype=torch.bfloat16
        )
        + case(
            shape=(64, 512, 512),
            dim=1,
            index=(64, 300, 512),
            src=(64, 300, 512),
            dtype=torch.float32,
        )
        + case(shape=(8191, 1021), dim=0, index=(5001, 1021), src=(5001, 1021), dtype=torch.float32)
    ),
    mutants=(
        Mutant("writes into input", lambda x, *rest: x.scatter_(*rest), ("input",)),
        Mutant("zeros elsewhere", lambda x, *rest: torch.zeros_like(x).scatter(*rest), ("input",)),
        Mutant("always dimension 0", lambda x, _, *rest: _along(x, 0, *rest), ("dim",)),
        Mutant("adds", lambda x, *rest: x.scatter_add(*rest), ("src",)),
        Mutant(
            "values side by side, wherever they should go",
            lambda x, dim, index, src: x.scatter(dim, index.sort(dim).values, src),
            ("index",),
        ),
        wrong.strides_ignored(scatter, 2, "index"),
        wrong.strides_ignored(scatter, 3, "src"),
        wrong.first_elements_only(scatter),
    ),
    data_movement=True,
    dtypes=FLOATS,
    difficulty=3,
)
